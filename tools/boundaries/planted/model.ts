// lies in libs/model/src
export * from '@assurance/contracts-events';
export * from '@assurance/storage-ports'; // refused: enforce-module-boundaries "type:model" can only depend on
export * from '@assurance/ingestion-domain'; // refused: enforce-module-boundaries "type:model" can only depend on
export * from 'yaml'; // refused: enforce-module-boundaries "type:model" is not allowed to import
export const now = () => Date.now(); // refused: no-restricted-properties 'Date.now'
