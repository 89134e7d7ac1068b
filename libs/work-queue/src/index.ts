export * from './destinations';
export * from './judging';
export * from './queue';
