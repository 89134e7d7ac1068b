// lies in libs/ingestion/role/src
export * from '@assurance/model';
export * from '@assurance/projection-views'; // refused: enforce-module-boundaries "step:ingestion" can only depend on
