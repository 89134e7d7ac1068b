import { commitInfo, MADE_UP } from '../../http/answers/common';
import {
  anything,
  component,
  flag,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  type TypeOf,
  oneOf,
  text,
} from '../../http/shape';
import { STATES, trailState } from './trail';

const place = object({ environment_name: text(), snapshot_index: integer() });
const runningPlace = object({
  environment_name: text(),
  snapshot_index: integer(),
  compliant: nullable(flag('The verdict of the environment on it now; null if no policy judges it there.')),
});
const runningPlaces = list(runningPlace, 'Where it runs, with the snapshot in which it started; at most 100.');
const happened = object({ event: text(), timestamp: number('Epoch seconds.') });

const evidence = object({
  evidence_type: text(),
  is_compliant: flag(),
  created_at: text('ISO 8601.'),
  has_audit_package: flag(),
});

/** The repository of an artifact. */
const artifactRepo = object({
  name: text(),
  id: nullable(text('The id at the provider.')),
  url: text(),
  description: nullable(text()),
  provider: nullable(text()),
});

/** Fields of an artifact, in lists and in single answers. */
const artifactFields = {
  id: text(),
  filename: text(),
  flow_name: text(),
  trail_name: nullable(text('Null if it was reported without a trail.')),
  template_reference_name: nullable(text()),
  fingerprint: text(),
  created_at: number('Epoch seconds.'),
  last_modified_at: text('When it was last reported or attested, in ISO 8601.'),
  git_commit: text('Empty if unknown.'),
  git_commit_info: nullable(commitInfo),
  repo_info: nullable(artifactRepo),
  repo_url: nullable(text()),
  commit_url: text('Of the newest report that has it; empty if unknown.'),
  build_url: text('Of the newest report that has it; empty if unknown.'),
  html_url: text(),
  api_url: text(),
  state: trailState,
  evidence: map(evidence, 'The newest attestation of each name on the artifact, by its name.'),
};

export const artifactAnswer = component('Artifact', {
  ...artifactFields,
  description: nullable(text('Of the newest report.')),
  template: nullable(list(text(), 'Of the newest report.')),
  is_compliant: nullable(flag('What the newest report says. `state` is the verdict.')),
  user_data: anything('Of the newest report; null if it has none.'),
  annotations: map(text(), 'Of the newest report.'),
  external_urls: map(object({ href: text() }, { fingerprint: text() }), 'Of the newest report.'),
  state_info: text('The state in words.'),
  commit_lead_times: map(number(), 'Seconds from the commit to the start, by the environment in which it runs.'),
  build_lead_times: map(number(), 'Seconds from the first report to the start, by the environment in which it runs.'),
  running: runningPlaces,
  exited: list(place, 'Where it ran, with the snapshot in which it was gone.'),
  history: list(happened, 'Oldest first.'),
});
export type ArtifactAnswer = TypeOf<typeof artifactAnswer>;

export const artifactListItem = component('ArtifactListItem', artifactFields);
export type ArtifactListItem = TypeOf<typeof artifactListItem>;

export const latestCommit = component('LatestCommit', { latest_commit: nullable(text()) });
export type LatestCommit = TypeOf<typeof latestCommit>;

const matches = object({ type: text(), count: integer(), matches: list(text()) });

export const searchAnswer = component('SearchResult', {
  resolved_to: object({
    type: oneOf(['commit', 'fingerprint', 'commit and fingerprint']),
    full_match: text('The only value that begins with the searched text, or else the searched text.'),
    fingerprints: matches,
    commits: matches,
  }),
  artifacts: list(
    object({
      fingerprint: text(),
      name: text(),
      flow: text('Empty without provenance, as are the next fields.'),
      pipeline: text('The same as `flow`.'),
      trail: text('Empty if it was reported without a trail.'),
      template_reference_name: text(),
      git_commit: text(),
      has_provenance: flag(),
      commit_url: text('Empty if unknown.'),
      build_url: text('Empty if unknown.'),
      html_url: text(),
      api_url: text(),
      compliance_state: oneOf([...STATES, ''], 'Empty for an artifact without provenance.'),
      running_in: list(text()),
      running: runningPlaces,
      exited_from: list(text()),
      history: list(happened),
    }),
  ),
  trails: list(
    object({ name: text(), flow: text(), git_commit: text('The commit that was set last.'), html_url: text() }),
    'Trails whose own commit begins with the value, at most 100.',
  ),
});
export type SearchAnswer = TypeOf<typeof searchAnswer>;

const { host, sha, fingerprint } = MADE_UP;
const html = `${host}/acme/flows/shop-web/artifacts/${fingerprint}?artifact_id=018bcfe5-6800-7000-8000-00000003`;
const history = [{ event: 'web reported', timestamp: 1700000100 }];
const urls = { commit_url: `https://github.com/acme/shop/commit/${sha}`, build_url: '', html_url: html };

const api = `${host}/api/v2/artifacts/acme/shop-web/fingerprint/${fingerprint}`;
const item: ArtifactListItem = {
  id: '018bcfe5-6800-7000-8000-000000000003',
  filename: 'shop/web:1.4',
  flow_name: 'shop-web',
  trail_name: 'build-7',
  template_reference_name: 'web',
  fingerprint,
  created_at: 1700000100,
  last_modified_at: '2023-11-14T22:15:00.000Z',
  git_commit: sha,
  git_commit_info: null,
  repo_info: {
    name: 'acme/shop',
    id: '4711',
    url: 'https://github.com/acme/shop',
    description: null,
    provider: 'github',
  },
  repo_url: 'https://github.com/acme/shop',
  ...urls,
  api_url: api,
  state: 'COMPLIANT',
  evidence: {
    tests: {
      evidence_type: 'junit',
      is_compliant: true,
      created_at: '2023-11-14T22:15:00.000Z',
      has_audit_package: true,
    },
  },
};
const artifact: ArtifactAnswer = {
  ...item,
  description: null,
  template: null,
  is_compliant: null,
  user_data: { run: 7 },
  annotations: {},
  external_urls: {},
  state_info: 'All required attestations are compliant',
  commit_lead_times: { production: 889 },
  build_lead_times: { production: 789 },
  running: [{ environment_name: 'production', snapshot_index: 1, compliant: false }],
  exited: [],
  history,
};
const latest: LatestCommit = { latest_commit: sha };
const search: SearchAnswer = {
  resolved_to: {
    type: 'fingerprint',
    full_match: fingerprint,
    fingerprints: { type: 'fingerprint', count: 1, matches: [fingerprint] },
    commits: { type: 'commit', count: 0, matches: [] },
  },
  artifacts: [
    {
      fingerprint,
      name: 'shop/web:1.4',
      flow: 'shop-web',
      pipeline: 'shop-web',
      trail: 'build-7',
      template_reference_name: 'web',
      git_commit: sha,
      has_provenance: true,
      ...urls,
      api_url: api,
      compliance_state: 'COMPLIANT',
      running_in: ['production'],
      running: [{ environment_name: 'production', snapshot_index: 1, compliant: false }],
      exited_from: [],
      history,
    },
  ],
  trails: [],
};

export const artifactExamples = { artifact, item, latest, search } as const;
