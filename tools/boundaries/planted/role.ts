// lies in libs/ingestion/role/src
export * from '@assurance/ingestion-domain';
export * from '@nestjs/common';
export * from '@assurance/projection-role'; // refused: enforce-module-boundaries "type:role" can only depend on
export * from '@assurance/storage-sqlite'; // refused: enforce-module-boundaries "type:role" can only depend on
export * from '@assurance/runtime'; // refused: enforce-module-boundaries "type:role" can only depend on
export * from '@assurance/http/testing'; // refused: no-restricted-imports For specs.
export * from 'mongodb'; // refused: enforce-module-boundaries "type:role" is not allowed to import
export * from 'node:sqlite'; // refused: no-restricted-imports 'node:sqlite'
export const now = () => Date.now(); // refused: no-restricted-properties 'Date.now'
