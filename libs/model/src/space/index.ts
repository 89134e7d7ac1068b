export * from './place';
export * from './tree';
