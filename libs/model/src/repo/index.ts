export * from './repo';
export * from './url';
