export { ingestion } from './role';
