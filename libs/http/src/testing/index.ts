export { DEFAULT_LIMITS } from './default-limits';
export { type RoleUnderTest, startRole } from './start-role';
