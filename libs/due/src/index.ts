export * from './policies';
export * from './work';
