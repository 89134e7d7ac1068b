export type { Condition } from './ast';
export * from './evaluate';
export * from './parse';
export * from './print';
export type { ExpressionProblem } from './tokens';
