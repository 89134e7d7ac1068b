// lies in libs/ingestion/role/src
export * from '@assurance/model-environment';
export * from '@assurance/projection-views'; // refused: enforce-module-boundaries "step:ingestion" can only depend on
