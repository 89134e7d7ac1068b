// lies in libs/evaluator/src
export * from '@assurance/kernel';
export * from 'yaml';
export * from '@assurance/ingestion-domain'; // refused: enforce-module-boundaries "type:adapter" can only depend on
export * from '@nestjs/common'; // refused: enforce-module-boundaries "type:adapter" is not allowed to import
