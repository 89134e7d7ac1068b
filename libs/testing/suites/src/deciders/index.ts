export * from './decider-spec';
export * from './fold';
export * from './samples';
