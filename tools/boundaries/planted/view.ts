// lies in libs/projection/views/src
export * from '@assurance/storage-ports';
export * from '@assurance/readers';
export * from '@assurance/http'; // refused: enforce-module-boundaries "type:view" can only depend on
export * from '@assurance/ingestion-domain'; // refused: enforce-module-boundaries "type:view" can only depend on
export * from '@nestjs/common'; // refused: enforce-module-boundaries "type:view" is not allowed to import
export const today = () => new Date(); // refused: no-restricted-syntax reads the clock
