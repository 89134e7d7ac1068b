export * from './decider-spec';
export * from './fold';
