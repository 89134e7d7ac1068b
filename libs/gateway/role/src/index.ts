export { apiKeyOf } from './api-key';
export { gateway } from './role';
