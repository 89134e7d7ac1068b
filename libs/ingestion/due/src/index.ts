export * from './due';
export * from './marks';
export * from './workers';
