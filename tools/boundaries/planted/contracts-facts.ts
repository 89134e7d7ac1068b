// lies in libs/contracts/src/events
export * from '../http/route'; // refused: order Facts and shapes import
export * from 'class-validator'; // refused: order Facts and shapes import
export * from 'node:crypto'; // refused: no-restricted-imports 'node:crypto'; order Facts and shapes import
