// lies in libs/testing/suites/src
export * from '@assurance/storage-ports';
export * from '../../../storage/ports/src'; // refused: enforce-module-boundaries cannot be imported by a relative
export * from '@assurance/storage-sqlite'; // refused: enforce-module-boundaries "type:testing" can only depend on
