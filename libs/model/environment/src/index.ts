export * from './describe';
export * from './environment';
export * from './kept-verdicts';
export * from './replaced';
export * from './runs';
export * from './snapshot';
