export { projection } from './role';
