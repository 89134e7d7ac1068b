export * from './mongodb';
export * from './start-mongo';
