export * from './chain';
export * from './perhaps-seen';
export * from './read';
export * from './seal';
