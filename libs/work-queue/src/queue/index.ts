export * from './work-queue';
export * from './workers';
