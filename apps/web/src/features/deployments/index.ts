export { DeploymentsPage } from './DeploymentsPage';
