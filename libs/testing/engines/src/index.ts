export * from './kafka';
export * from './mongodb';
export * from './start-mongo';
export * from './start-kafka';
