export { links, type Site } from '@assurance/contracts-http';
