export * from './canonical-json';
export * from './decider';
export * from './digest';
export * from './grouped';
export * from './result';
export * from './room';
export * from './uuid';
