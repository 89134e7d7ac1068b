export * from './control';
