export * from './cost';
export * from './expression';
export * from './judge';
export * from './policy';
export * from './rules';
