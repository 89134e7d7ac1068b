// lies in libs/storage/ports/src
export * from '@assurance/contracts/events/streams';
export * from '@assurance/storage-sqlite'; // refused: enforce-module-boundaries "type:port" can only depend on
export * from 'mongodb'; // refused: enforce-module-boundaries "type:port" is not allowed to import
