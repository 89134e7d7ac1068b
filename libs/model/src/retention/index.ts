export * from './dropped';
export * from './retention';
