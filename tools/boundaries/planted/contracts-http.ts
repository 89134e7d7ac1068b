// lies in libs/contracts/http/src
export * from '@assurance/kernel';
export * from '@assurance/contracts-events';
export * from 'class-validator';
export * from '@assurance/storage-ports'; // refused: enforce-module-boundaries "type:contracts-http" can only depend on
export * from 'fastify'; // refused: enforce-module-boundaries "type:contracts-http" is not allowed to import
