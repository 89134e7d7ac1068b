export * from './work';
export * from './judging-queue';
