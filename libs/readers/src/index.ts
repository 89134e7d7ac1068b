export * from './changes';
export * from './evidence';
export * from './names';
export * from './policies';
