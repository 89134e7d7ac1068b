// lies in libs/ingestion/role/src as planted.spec.ts
export * from '@assurance/testing-suites';
export * from '@assurance/http/testing';
export * from '@assurance/storage-sqlite/testing';
export * from '@assurance/runtime'; // refused: enforce-module-boundaries "type:role" can only depend on
export * from '@assurance/projection-role'; // refused: enforce-module-boundaries "type:role" can only depend on
