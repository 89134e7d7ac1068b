export * from './answer';
export { type Call, type CallFile, type CallOf, TheCall } from './call';
export * from './feed/pattern';
export * from './identity';
export * from './refusals';
export * from './role';
export * from './route.decorator';
export * from './tokens';
