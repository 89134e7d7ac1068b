// lies in libs/features/environments/write as planted.spec.ts
export * from '@assurance/testing/deciders/decider-spec';
export * from '@assurance/http/testing';
export * from '@assurance/storage-sqlite/testing';
export * from 'fast-check';
export * from '@assurance/runtime'; // refused: enforce-module-boundaries "type:feature" can only depend on
