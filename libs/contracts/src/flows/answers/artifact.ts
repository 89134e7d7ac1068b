import { MADE_UP } from '../../http/answers/common';
import { component, flag, integer, list, nullable, number, object, type Of, oneOf, text } from '../../http/shape';
import { trailState } from './trail';

const place = object({ environment_name: text(), snapshot_index: integer() });
const happened = object({ event: text(), timestamp: number('Epoch seconds.') });

export const artifactAnswer = component('Artifact', {
  filename: text(),
  flow_name: text(),
  trail_name: nullable(text('Null if it was reported without a trail.')),
  template_reference_name: nullable(text()),
  fingerprint: text(),
  created_at: number('Epoch seconds.'),
  git_commit: text(),
  commit_url: text('Empty if unknown.'),
  build_url: text('Empty if unknown.'),
  html_url: text(),
  state: trailState,
  running: list(place, 'Where it runs, with the snapshot in which it started.'),
  exited: list(place, 'Where it ran, with the snapshot in which it was gone.'),
  history: list(happened, 'Oldest first.'),
});
export type ArtifactAnswer = Of<typeof artifactAnswer>;

export const artifactListItem = component('ArtifactListItem', {
  git_commit: text(),
  filename: text(),
  fingerprint: text(),
  state: trailState,
  created_at: number('Epoch seconds.'),
});
export type ArtifactListItem = Of<typeof artifactListItem>;

export const latestCommit = component('LatestCommit', { latest_commit: nullable(text()) });
export type LatestCommit = Of<typeof latestCommit>;

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
      git_commit: text(),
      has_provenance: flag(),
      commit_url: text('Empty if unknown.'),
      build_url: text('Empty if unknown.'),
      html_url: text(),
      compliance_state: nullable(trailState),
      running_in: list(text()),
      exited_from: list(text()),
      history: list(happened),
    }),
  ),
});
export type SearchAnswer = Of<typeof searchAnswer>;

const { host, sha, fingerprint } = MADE_UP;
const html = `${host}/acme/flows/shop-web/artifacts/${fingerprint}?artifact_id=018bcfe5-6800-7000-8000-00000003`;
const history = [{ event: 'web reported', timestamp: 1700000100 }];
const urls = { commit_url: `https://github.com/acme/shop/commit/${sha}`, build_url: '', html_url: html };

const artifact: ArtifactAnswer = {
  filename: 'shop/web:1.4',
  flow_name: 'shop-web',
  trail_name: 'build-7',
  template_reference_name: 'web',
  fingerprint,
  created_at: 1700000100,
  git_commit: sha,
  ...urls,
  state: 'COMPLIANT',
  running: [{ environment_name: 'production', snapshot_index: 1 }],
  exited: [],
  history,
};
const item: ArtifactListItem = {
  git_commit: sha,
  filename: 'shop/web:1.4',
  fingerprint,
  state: 'COMPLIANT',
  created_at: 1700000100,
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
      git_commit: sha,
      has_provenance: true,
      ...urls,
      compliance_state: 'COMPLIANT',
      running_in: ['production'],
      exited_from: [],
      history,
    },
  ],
};

export const artifactExamples = { artifact, item, latest, search } as const;
