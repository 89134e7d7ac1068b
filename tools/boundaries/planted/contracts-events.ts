// lies in libs/contracts/events/src
export * from '@assurance/kernel';
export * from '@assurance/contracts-http'; // refused: enforce-module-boundaries "type:contracts-events" can only depend on
export * from 'class-validator'; // refused: enforce-module-boundaries "type:contracts-events" is not allowed to import
export * from 'node:crypto'; // refused: no-restricted-imports 'node:crypto'
