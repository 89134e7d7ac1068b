// lies in apps/standalone/src
export * from '@assurance/runtime';
export * from '@assurance/gateway/role';
export * from '@nestjs/core';
export * from '@assurance/storage-sqlite'; // refused: enforce-module-boundaries "type:app" can only depend on
export * from 'mongodb'; // refused: enforce-module-boundaries "type:app" is not allowed to import
