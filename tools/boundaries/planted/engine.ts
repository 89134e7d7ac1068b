// lies in libs/storage/mongodb/src
export * from '@assurance/storage-sqlite'; // refused: enforce-module-boundaries "type:engine" can only depend on
export * from '../../kafka/src'; // refused: features/order Engines do not import each other; enforce-module-boundaries "type:engine" can only depend on
export * from '@assurance/http'; // refused: enforce-module-boundaries "type:engine" can only depend on
export * from 'kafkajs'; // refused: enforce-module-boundaries "type:engine" is not allowed to import
export * from '@nestjs/common'; // refused: enforce-module-boundaries "type:engine" is not allowed to import
export * from 'node:sqlite'; // refused: no-restricted-imports 'node:sqlite'
export * from 'node:process'; // refused: no-restricted-imports global
export const folder = () => process.env['ASSURANCE_DATA_DIR']; // refused: no-restricted-properties 'process.env'
