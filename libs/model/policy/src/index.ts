export * from './expression';
export * from './judge';
export * from './rules';
