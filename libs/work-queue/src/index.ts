export * from './judging';
export * from './queue';
