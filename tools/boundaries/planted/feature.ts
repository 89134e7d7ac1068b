// lies in libs/features/environments/write
export * from '../read/environments'; // refused: order does not import its part read
export * from '@assurance/flows/write/report-artifact'; // refused: order for its own feature
export * from '@assurance/audit/domain/aggregates'; // refused: order comes after environments
export * from '@assurance/storage-sqlite'; // refused: enforce-module-boundaries "type:feature" can only depend on
export * from '@assurance/ingestion/role'; // refused: order Libraries do not import apps
export * from '@assurance/web/demo'; // refused: order Libraries do not import apps
export * from '@assurance/runtime'; // refused: enforce-module-boundaries "type:feature" can only depend on
export * from '@assurance/http/testing'; // refused: no-restricted-imports For specs.
export * from 'mongodb'; // refused: enforce-module-boundaries "type:feature" is not allowed to import
export * from 'node:sqlite'; // refused: no-restricted-imports 'node:sqlite'
export const now = () => Date.now(); // refused: no-restricted-properties 'Date.now'
export const today = () => new Date(); // refused: no-restricted-syntax reads the clock
