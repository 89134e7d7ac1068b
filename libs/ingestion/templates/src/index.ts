export * from './read-template';
