export { readPolicy } from './read-policy';
export { readTemplate } from './read-template';
