export { FlowPage } from './FlowPage';
export { FlowsPage } from './FlowsPage';
export { TrailPage } from './TrailPage';
