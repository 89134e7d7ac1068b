export { apiKeyOf } from './api-key';
export { REVOCATION_MS } from './identify-by-key';
export { gateway } from './role';
