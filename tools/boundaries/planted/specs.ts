// lies in libs/features/environments/write as planted.spec.ts
export * from '@assurance/runtime'; // refused: enforce-module-boundaries "type:feature" can only depend on
it.skip('is skipped', () => {}); // refused: no-restricted-syntax every test
