export * from './format';
export * from './archived-collection';
export * from './load-archive';
export * from './read-archive';
export * from './whose';
export * from './write-archive';
