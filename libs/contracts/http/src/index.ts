export * from './answers';
export * from './bodies';
export { BODY_BYTES, bodyLimit, DEFAULT_BODY_LIMITS, FREE_JSON_BYTES, requestLimit } from './body-limits';
export { ANSWERS_AT_ONCE, answerWeight } from './large-answers';
export { mcp } from './mcp';
export { methodsOf } from './methods';
export { flowTemplateSchema } from './flow-template';
export { policySchema } from './policy-schema';
export {
  type FieldErrors,
  type Param,
  type Position,
  positionText,
  type QueryOf,
  type QueryShape,
  readQuery,
} from './params';
export { links, type Site } from './links';
export * from './openapi';
export { pageAsset } from './page-asset';
export * from './patterns';
export { NOT_FROM_PAGE } from './responses';
export * from './roles';
export * from './route';
export * from './routes';
export { provedSignIn } from './proved-sign-in';
export { PAGE_HEADER, type SessionCookie, sessionCookie, signInCookie } from './session-cookie';
export { components, inside, type JsonSchema, type Of, type Shape } from './shape';
