// lies in apps/web/src
export * from 'react';
export * from '@assurance/kernel'; // refused: enforce-module-boundaries "type:web" cannot depend on any
export * from '@nestjs/core'; // refused: enforce-module-boundaries "type:web" is not allowed to import
