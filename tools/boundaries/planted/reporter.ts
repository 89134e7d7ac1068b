// lies in apps/reporter/src
export * from 'undici'; // refused: enforce-module-boundaries "type:app" is not allowed to import
export * from '@assurance/storage-sqlite'; // refused: enforce-module-boundaries "type:app" can only depend on
