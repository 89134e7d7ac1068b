export type { Condition, Operand } from './ast';
export * from './evaluate';
export * from './parse';
export { patternSteps } from './pattern';
export * from './print';
export type { ExpressionProblem } from './tokens';
