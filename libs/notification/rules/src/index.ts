export * from './heard';
export * from './messages';
export * from './occurrences';
export * from './retry';
