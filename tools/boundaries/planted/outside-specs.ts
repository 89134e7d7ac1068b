// lies in libs/features/environments/write
export * from '@assurance/testing/deciders/decider-spec'; // refused: enforce-module-boundaries "type:feature" can only depend on
export * from 'fast-check'; // refused: enforce-module-boundaries "type:feature" is not allowed to import
