// lies in libs/contracts/src/http
export * from '@assurance/kernel';
export * from '../events/streams';
export * from 'class-validator';
export * from '@assurance/storage-ports'; // refused: enforce-module-boundaries "type:contracts" can only depend on
export * from 'fastify'; // refused: enforce-module-boundaries "type:contracts" is not allowed to import
