// lies in apps/standalone/src
export * from '@assurance/storage-sqlite'; // refused: enforce-module-boundaries "type:app" can only depend on
export * from 'mongodb'; // refused: enforce-module-boundaries "type:app" is not allowed to import
