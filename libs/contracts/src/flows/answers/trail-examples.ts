import type { TrailAnswer, TrailListItem, TrailPage } from './trail';

/** Example trails for the OpenAPI document. The compiler and a spec check them with their shapes. */
const html = 'https://assurance.example.com/acme/flows/shop-web/trails/build-7';
const template = '018bcfe5-6800-7000-8000-000000000005';

const trail: TrailAnswer = {
  name: 'build-7',
  description: 'Sell tea',
  flow: { name: 'shop-web', tags: {} },
  git_commit_info: null,
  origin_url: 'https://ci.example.com/runs/7',
  user_data: { run: 7 },
  repo_ids: [],
  external_urls: null,
  created_at: 1700000100,
  last_modified_at: 1700000100,
  created_by: 'ci',
  html_url: html,
  compliance_state: 'COMPLIANT',
  is_compliant: true,
  compliance_status: {
    status: 'COMPLIANT',
    is_compliant: true,
    attestations_statuses: [],
    artifacts_statuses: {},
    evaluated_at: 1700000100,
    flow_template_id: template,
  },
  template: { version: 1, trail: { attestations: [], artifacts: [] }, content: 'version: 1\n' },
  events: [
    {
      type: 'trail_reported',
      timestamp: 1700000100,
      org_id: '018bcfe5-6800-7000-8000-000000000006',
      flow_id: '018bcfe5-6800-7000-8000-000000000001',
      trail_id: '018bcfe5-6800-7000-8000-000000000001/build-7',
      git_commit_info: null,
      repo_info: null,
      setting_user_id: '018bcfe5-6800-7000-8000-000000000007',
      trail_data_json: { name: 'build-7', description: 'Sell tea' },
    },
  ],
};

const item: TrailListItem = {
  name: 'build-7',
  description: 'Sell tea',
  flow_name: 'shop-web',
  compliance_state: 'COMPLIANT',
  is_compliant: true,
  created_at: 1700000100,
  last_modified_at: 1700000100,
  html_url: html,
  flow: trail.flow,
  created_by: trail.created_by,
  repo_ids: trail.repo_ids,
  template: trail.template,
  compliance_status: trail.compliance_status,
};
const page: TrailPage = { data: [item], pagination: { page: 1, per_page: 20, page_count: 1, total: 1 } };

export const trailExamples = { trail, item, page } as const;
