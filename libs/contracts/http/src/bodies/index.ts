export * from './artifact';
export * from './environment';
export * from './flow';
export * from './report';
export { validateBody, type Validated } from './validate';
