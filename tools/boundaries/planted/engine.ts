// lies in libs/storage/sqlite/src
export * from '@assurance/storage-ports';
export * from 'libsql';
export * from '@assurance/storage-mongodb'; // refused: enforce-module-boundaries "type:engine" can only depend on
export * from '@assurance/contracts-http'; // refused: enforce-module-boundaries "type:engine" can only depend on
export * from 'mongodb'; // refused: enforce-module-boundaries "type:engine" is not allowed to import
export * from '@nestjs/common'; // refused: enforce-module-boundaries "type:engine" is not allowed to import
export * from 'node:process'; // refused: no-restricted-imports global
export const folder = () => process.env['ASSURANCE_DATA_DIR']; // refused: no-restricted-properties 'process.env'
