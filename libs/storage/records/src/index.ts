export * from './read';
export * from './seal';
