import type { ArtifactAnswer, ArtifactListItem, LatestCommit, SearchAnswer } from './artifact';

/** Made-up artifacts for the OpenAPI document; the compiler and a spec hold them to their shapes. */
const sha = '4f'.repeat(20);
const fingerprint = 'c0ffee00'.repeat(8);
const html = `https://assurance.example.com/acme/flows/shop-web/artifacts/${fingerprint}?artifact_id=018bcfe5-6800-7000-8000-00000003`;
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
