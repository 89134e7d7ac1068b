export * from './messages';
export * from './occurrences';
export * from './public-events';
export * from './retry';
