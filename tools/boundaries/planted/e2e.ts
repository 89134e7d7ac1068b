// lies in apps/e2e/src
export * from '@assurance/storage-sqlite';
export * from '@assurance/environments/domain/environment';
export * from 'fast-check';
export * from '@assurance/standalone'; // refused: enforce-module-boundaries unresolvable dependencies are not allowed
