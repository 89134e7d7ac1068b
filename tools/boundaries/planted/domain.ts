// lies in libs/ingestion/domain/src
export * from '@assurance/model';
export * from '@assurance/storage-ports'; // refused: enforce-module-boundaries "type:domain" can only depend on
export * from '@assurance/contracts-http'; // refused: enforce-module-boundaries "type:domain" can only depend on
export * from 'rxjs'; // refused: enforce-module-boundaries "type:domain" is not allowed to import
export * from 'node:crypto'; // refused: no-restricted-imports 'node:crypto'
export const load = () => import('rxjs'); // refused: enforce-module-boundaries not allowed; no-restricted-syntax imports statically
export * from '@assurance/kernel/src/uuid'; // refused: enforce-module-boundaries unresolvable dependencies are not allowed
