export * from './cost';
export * from './expression';
export * from './judge';
export * from './not-judged';
export * from './policy';
export * from './rules';
