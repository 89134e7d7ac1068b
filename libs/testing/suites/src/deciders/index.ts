export * from './decider-spec';
export * from './replay';
export * from './samples';
