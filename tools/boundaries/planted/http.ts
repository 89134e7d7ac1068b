// lies in libs/http/src
export * from '@assurance/storage-ports';
export * from '@assurance/event-sourcing/tokens';
export * from '@nestjs/common';
export * from '@assurance/access/domain/keys'; // refused: enforce-module-boundaries "type:http" can only depend on
export * from 'pino'; // refused: enforce-module-boundaries "type:http" is not allowed to import
