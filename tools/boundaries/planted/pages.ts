// lies in apps/web/src
export * from '@assurance/kernel/shown/csv';
export * from '@assurance/kernel'; // refused: no-restricted-imports how texts are shown
export * from '@assurance/contracts/events/streams'; // refused: enforce-module-boundaries "type:web" can only depend on; no-restricted-imports how texts are shown
