export * from './acme';
export * from './record';
