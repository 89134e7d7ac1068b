import { artifact, digest, item, PROVENANCE, sha1 } from '../../support/samples';
import { each, range } from './at-once';
import type { Shop } from './shop';

const ENVIRONMENTS = 1_000;
const DEPLOYMENTS = 100_000;
const ARTIFACTS = 10_000;
const DAY = 24 * 3600;
const DAYS = 56;
/** How many artifacts have a commit; they are deployed to one environment after the other. */
const BUILDS = 1_000;
/** Environments that deployments are spread over, beside the one with many artifacts. */
const BUSY = 20;
const POLICY = 'large-provenance';

const until = Math.floor(Date.now() / 1000 / DAY) * DAY;

function built(i: number) {
  const commit = { sha1: sha1(`large ${i}`), timestamp: until - 60 * DAY + i * 60 };
  return artifact(digest(`large web:${i}`), {
    filename: `web:${i}`,
    trail_name: `build-${i}`,
    git_commit: commit.sha1,
    git_commit_info: { ...commit, message: 'Sell tea', author: 'Ada <ada@example.com>', branch: 'main' },
  });
}

/** The artifacts of one report, which replace those of the report before. */
const reportAt = (since: number, count: number, name: (i: number) => string) => ({
  artifacts: range(count)
    .map(name)
    .map((name) => item({ [name]: digest(`large ${name}`) }, since)),
});

/**
 * Fills an empty organization with so much that pages and lists show how they bear it: 1,000 environments, of which one in 100 is not compliant, 100,000
 * deployments in the last 56 days, and 10,000 artifacts that run at once in the environment `large-0`.
 */
export async function fillLarge({ ask, form }: Shop, org: string): Promise<void> {
  const report = (environment: number, artifacts: object) =>
    ask('PUT', `/environments/${org}/large-${environment}/report/docker`, artifacts);
  const judge = (environment: number) =>
    ask('POST', `/environments/${org}/large-${environment}/policies`, { policy_names: [POLICY] });
  await form('PUT', `/flows/${org}/template_file`, { name: 'large-web' });
  await each(range(BUILDS), (i) => ask('POST', `/artifacts/${org}/large-web`, built(i)));
  const policy = { name: POLICY, description: '', comment: 'Where it comes from', type: 'env' };
  await form('PUT', `/policies/${org}`, policy, { field: 'policy_file', text: PROVENANCE });
  await each(range(ENVIRONMENTS), async (i) => {
    await ask('PUT', `/environments/${org}`, { name: `large-${i}`, type: 'docker', description: `Number ${i}` });
    // Its artifacts have no provenance.
    if (i % 100 !== 99) return;
    await judge(i);
    await report(
      i,
      reportAt(until, 1, () => `unknown:${i}`),
    );
  });
  await judge(0);
  const running = reportAt(until, ARTIFACTS, (i) => (i < BUILDS / 2 ? `web:${i}` : `part:${i}`));
  await report(0, running);
  // One report of as many artifacts as make an environment's share of all deployments: more reports would take longer. The service takes few large
  // reports of an organization at once.
  for (const i of range(BUSY)) {
    const at = until - DAYS * DAY + Math.floor((i / BUSY) * DAYS * DAY);
    // What is in the first report of an environment did not start in it, so one artifact comes before.
    for (const count of [1, DEPLOYMENTS / BUSY]) {
      await report(
        i + 1,
        reportAt(at, count, (k) => (k < BUILDS ? `web:${k}` : `part:${k}`)),
      );
    }
  }
}
