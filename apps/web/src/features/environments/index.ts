export { ComparePage } from './ComparePage';
export { EnvironmentPage } from './EnvironmentPage';
export { EnvironmentsPage } from './EnvironmentsPage';
export { SnapshotPage } from './SnapshotPage';
