export * from './marks';
export * from './workers';
