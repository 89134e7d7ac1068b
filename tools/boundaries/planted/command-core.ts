// lies in libs/ingestion/role/src as core/planted.ts
export * from '@assurance/model';
export * from '@assurance/http'; // refused: no-restricted-imports The command core does not depend on HTTP
export const now = () => Date.now(); // refused: no-restricted-properties 'Date.now'
