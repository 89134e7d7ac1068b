export * from './common';
export * from './context';
export * from './examples';
export * from './deployment';
export * from './environment';
export * from './flow';
export * from './repo';
export * from './snapshot';
