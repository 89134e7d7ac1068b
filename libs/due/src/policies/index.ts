export * from './due';
export * from './marks';
