// Fills an organization of a running service with so much that pages and lists show how they bear it. For an empty organization.
//   node tools/demo/large.ts --key KEY [--url URL] [--org ORG]
// URL is http://localhost:8001 and ORG `admin` unless given. It makes 1,000 environments, 100,000 deployments in the last 56 days, and 10,000
// artifacts that run at once in the environment `large-0`. One in 100 environments is not compliant.
import { parseArgs } from 'node:util';
import { each, form, mustAnswer, need, policyForm, range } from '../common/api.ts';
import { stop } from '../common/command.ts';
import { artifactOf, fingerprintOf, reportOf } from '../common/made-up.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { key: text, url: text, org: text } });
const { key = stop('--key is missing'), url = 'http://localhost:8001', org = 'admin' } = values;
const ENVIRONMENTS = 1_000;
const DEPLOYMENTS = 100_000;
const ARTIFACTS = 10_000;

const DAY = 24 * 3600;
const DAYS = 56;
/** How many artifacts have a commit; they are deployed to one environment after the other. */
const BUILDS = 1_000;
/** Environments that deployments are spread over, beside the one with many artifacts. */
const BUSY = 20;
const AT_ONCE = 16;

const until = Math.floor(Date.now() / 1000 / DAY) * DAY;
const fingerprint = (name: string) => fingerprintOf(`large ${name}`);
const environment = (i: number) => `large-${i}`;

const api = { url, key, org };

const buildTime = (i: number) => until - 60 * DAY + i * 60;

const build = (i: number) =>
  need(
    api,
    'POST',
    '/artifacts/{org}/large-web',
    artifactOf({
      ...{ fingerprint: fingerprint(`web ${i}`), filename: `web:${i}`, trail: `build-${i}` },
      ...{ commit: `large ${i}`, at: buildTime(i) },
    }),
  );

/** The artifacts of one report, which replace those of the report before. */
const reportAt = (since: number, count: number, name: (i: number) => string) =>
  reportOf(
    range(count)
      .map(name)
      .map((one) => ({ name: one, fingerprint: fingerprint(one.replace(':', ' ')), since })),
  );

/** A report of one artifact that ran before, and one of as many as make an environment's share of all deployments. More reports would take longer. */
async function deploy(i: number): Promise<void> {
  const at = until - DAYS * DAY + Math.floor((i / BUSY) * DAYS * DAY);
  for (const count of [1, DEPLOYMENTS / BUSY]) {
    const report = reportAt(at, count, (k) => (k < BUILDS ? `web:${k}` : `part:${k}`));
    await need(api, 'PUT', `/environments/{org}/${environment(i + 1)}/report/docker`, report);
  }
}

const started = Date.now();
const say = (what: string) => console.error(`${((Date.now() - started) / 1000).toFixed(1)} s: ${what}`);

await mustAnswer(url);
await need(api, 'PUT', '/flows/{org}/template_file', form({ name: 'large-web' }));
await each(range(BUILDS), build, AT_ONCE);
say('builds');
const rule = '_schema: https://assurance.example.com/schemas/policy/v1\nartifacts:\n  provenance: { required: true }\n';
const policy = 'large-provenance';
await need(api, 'PUT', '/policies/{org}', policyForm(policy, rule, { comment: 'Where it comes from' }));
await each(
  range(ENVIRONMENTS),
  async (i) => {
    await need(api, 'PUT', '/environments/{org}', { name: environment(i), type: 'docker', description: `Number ${i}` });
    // Its artifacts have no provenance.
    if (i % 100 !== 99) return;
    await need(api, 'POST', `/environments/{org}/${environment(i)}/policies`, { policy_names: [policy] });
    await need(
      api,
      'PUT',
      `/environments/{org}/${environment(i)}/report/docker`,
      reportAt(until, 1, () => `unknown:${i}`),
    );
  },
  AT_ONCE,
);
say(`${ENVIRONMENTS} environments`);
await need(api, 'POST', `/environments/{org}/${environment(0)}/policies`, { policy_names: [policy] });
await need(
  api,
  'PUT',
  `/environments/{org}/${environment(0)}/report/docker`,
  reportAt(until, ARTIFACTS, (i) => (i < BUILDS / 2 ? `web:${i}` : `part:${i}`)),
);
say(`${ARTIFACTS} artifacts in ${environment(0)}`);
// The service takes few large reports of an organization at once.
await each(range(BUSY), deploy, 1);
say(`${DEPLOYMENTS} deployments`);
