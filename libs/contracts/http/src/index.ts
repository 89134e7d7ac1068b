export * from './answers';
export * from './bodies';
export { type FieldErrors, type Param, type QueryOf, type QueryShape, readQuery } from './params';
export * from './openapi';
export * from './patterns';
export * from './roles';
export * from './route';
export * from './routes';
export { components, inside, type JsonSchema, type Of, type Shape } from './shape';
