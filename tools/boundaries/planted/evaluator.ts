// lies in libs/evaluator/src
export * from '@assurance/kernel';
export * from '@assurance/policies/domain/judge';
export * from 'yaml';
export * from '@assurance/http'; // refused: enforce-module-boundaries "type:evaluator" can only depend on
export * from '@nestjs/common'; // refused: enforce-module-boundaries "type:evaluator" is not allowed to import
