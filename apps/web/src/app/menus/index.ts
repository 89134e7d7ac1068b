export { AccountMenu } from './AccountMenu';
export { OrganizationsMenu } from './OrganizationsMenu';
