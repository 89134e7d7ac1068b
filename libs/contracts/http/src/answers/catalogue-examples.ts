import type { EnvironmentPage, FlowPage } from './catalogue';
import { examples } from './examples';

const { last_deployment_at: _, ...flow } = examples.flow;

export const environmentPageExample: EnvironmentPage = {
  page: 1,
  per_page: 15,
  total_pages: 1,
  total_count: 1,
  environments: [examples.environment],
};

export const flowPageExample: FlowPage = {
  data: [{ ...flow, latest_activity_at: 1700000889.5, latest_state: 'COMPLIANT' }],
  pagination: { page: 1, page_count: 1, total: 1 },
};
