// lies in libs/testing/src
export * from '../../storage/ports/src'; // refused: enforce-module-boundaries cannot be imported by a relative
export * from '@assurance/storage/mongodb'; // refused: enforce-module-boundaries "type:testing" can only depend on
export * from '@nestjs/common'; // refused: enforce-module-boundaries "type:testing" is not allowed to import
