export { apiKeyOf } from './api-key';
export { REVOCATION_MS } from './identities';
export { gateway } from './role';
