export { auditPackage } from './role';
