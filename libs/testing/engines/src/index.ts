export * from './kafka';
export * from './mongodb';
