// lies in libs/runtime/src
export * from '@assurance/storage-sqlite';
export * from 'pino';
export const folder = () => process.env['ASSURANCE_DATA_DIR'];
export * from '@assurance/flows/write/flows.module'; // refused: enforce-module-boundaries "type:runtime" can only depend on
export * from 'mongodb'; // refused: enforce-module-boundaries "type:runtime" is not allowed to import
