export { type RoleUnderTest, startRole } from './start-role';
