export * from './erased-streams';
export * from './sign-erasure';
