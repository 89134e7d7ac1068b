// lies in libs/kernel/src
export * from '@assurance/contracts/events/streams'; // refused: enforce-module-boundaries "type:kernel" cannot depend on any
export * from 'kafkajs'; // refused: enforce-module-boundaries "type:kernel" is not allowed to import "kafkajs"
export * from 'node:fs'; // refused: no-restricted-imports 'node:fs'
export * from 'fs'; // refused: no-restricted-imports 'fs'
export const now = () => Date.now(); // refused: no-restricted-properties 'Date.now'
export const today = () => new Date(); // refused: no-restricted-syntax reads the clock
export const chance = () => Math.random(); // refused: no-restricted-properties 'Math.random'
export const setting = () => process.argv; // refused: no-restricted-globals 'process'
export const wait = () => setTimeout(now, 1); // refused: no-restricted-globals 'setTimeout'
export const say = () => console.log(1); // refused: no-restricted-globals 'console'
