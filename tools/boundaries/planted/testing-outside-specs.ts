// lies in libs/ingestion/domain/src
export * from '@assurance/kernel';
export * from '@assurance/testing-suites'; // refused: enforce-module-boundaries "type:domain" can only depend on
export * from 'fast-check'; // refused: enforce-module-boundaries "type:domain" is not allowed to import
