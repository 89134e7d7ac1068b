export * from './destinations';
export * from './judging/judging-queue';
export * from './judging/work';
export * from './queue/work-queue';
export * from './queue/workers';
