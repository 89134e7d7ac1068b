// lies in libs/event-sourcing/src
export * from '@assurance/storage-ports';
export * from '@nestjs/common';
export * from '@assurance/http'; // refused: enforce-module-boundaries "type:event-sourcing" can only depend on
export * from '@assurance/flows/domain/trail'; // refused: enforce-module-boundaries "type:event-sourcing" can only depend on
export * from 'mongodb'; // refused: enforce-module-boundaries "type:event-sourcing" is not allowed to import
