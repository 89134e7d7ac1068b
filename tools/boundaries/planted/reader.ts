// lies in libs/readers/src
export * from '@assurance/storage-ports';
export * from '@assurance/model';
export * from '@assurance/contracts-http'; // refused: enforce-module-boundaries "type:reader" can only depend on
export * from '@assurance/projection-views'; // refused: enforce-module-boundaries "type:reader" can only depend on
export * from '@nestjs/common'; // refused: enforce-module-boundaries "type:reader" is not allowed to import
export const today = () => new Date(); // refused: no-restricted-syntax reads the clock
