import { find, form, need, type Service as Api } from '../common/api.ts';
import { type Attestation, evidenceOf } from './evidence.ts';
import { define, govern, isWatched } from './rules.ts';
import {
  ALL_OF_PRODUCTION,
  ENVIRONMENTS,
  type Release,
  releasesOf,
  type Report,
  reportsOf,
  type Service,
  SERVICES,
  templateOf,
} from './shop.ts';
import { VULNERABILITY_FILES } from './vulnerabilities.ts';

/**
 * Fills the organization with the shop. What is there already is left as it is, so that it may be run, or be cut off and run, any number
 * of times.
 *
 * @param until epoch seconds: the end of the shop's month
 * @param say hears of progress
 */
export async function fill(api: Api, until: number, say: (text: string) => void): Promise<void> {
  const releases = SERVICES.flatMap((service) => releasesOf(service, until)).sort((a, b) => a.committed - b.committed);
  await define(api);
  for (const service of SERVICES) await flow(api, service);
  say(`${SERVICES.length} flows, each with a template`);
  const built = await each(releases, (release) => build(api, release));
  say(`${releases.length} builds with trails, artifacts, commits and evidence: ${built} new`);
  for (const { repo } of SERVICES) {
    const { id } = await need<{ id: string }>(api, 'GET', `/repos/{org}/${repo.name}`);
    await tag(api, 'repos', id, { team: 'shop' });
  }
  for (const { tier, ...environment } of ENVIRONMENTS) {
    await need(api, 'PUT', '/environments/{org}', environment);
    await tag(api, 'environments', environment.name, { tier });
  }
  await need(api, 'PUT', '/environments/{org}', ALL_OF_PRODUCTION);
  await gather(api);
  // Before the first report, so that each snapshot is judged and failures are notified.
  await govern(api);
  say('2 policies in force, a control, an attestation type, an allowed artifact and a notification');
  for (const [name, text] of Object.entries(VULNERABILITY_FILES)) {
    await need(api, 'POST', '/vulnerabilities/{org}', form({}, { file: ['attachment_file', name, text] }));
  }
  say('a small database of vulnerabilities, and a VEX statement');
  for (const environment of ENVIRONMENTS) {
    const reports = reportsOf(environment.name, releases);
    const made = await report(api, { ...environment, alarm: isWatched(environment.name) }, reports);
    say(`${environment.name} (${environment.type}) with ${reports.length} snapshots: ${made} new`);
  }
}

const tag = (api: Api, kind: string, id: string, set_tags: object) =>
  need(api, 'PATCH', `/tags/{org}/${kind}/${id}`, { set_tags });

async function each<T>(items: readonly T[], does: (item: T) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (const item of items) if (await does(item)) count += 1;
  return count;
}

async function flow(api: Api, service: Service): Promise<void> {
  const data = { name: service.flow, description: service.description };
  await need(
    api,
    'PUT',
    '/flows/{org}/template_file',
    form(data, { file: ['template_file', 'template.yml', templateOf(service)] }),
  );
  await tag(api, 'flows', service.flow, { team: 'shop' });
}

/** Puts environments and flows into a space of the shop. */
async function gather(api: Api): Promise<void> {
  const { id: space_id } = await need<{ id: string }>(api, 'PUT', '/spaces/{org}', { name: 'Demo shop' });
  const moved = [
    ...[...ENVIRONMENTS, ALL_OF_PRODUCTION].map(({ name }) => `environments/{org}/${name}`),
    ...SERVICES.map(({ flow: name }) => `flows/{org}/${name}`),
  ];
  for (const path of moved) await need(api, 'PUT', `/${path}/move`, { space_id });
}

/** Begins a trail, reports its artifact and attests evidence, as a pipeline would; false when that was done before. */
async function build(api: Api, release: Release): Promise<boolean> {
  const { service, version, commit, fingerprint, name, trail } = release;
  const { flow: into, repo, artifact } = service;
  const evidence = evidenceOf(release);
  const newest = evidence.at(-1);
  if (newest !== undefined && (await isAttested(api, release, newest.data))) return false;
  const provenance = { git_commit_info: commit, repo_info: repo };
  const run = `https://ci.example.com/${into}/${version}`;
  await need(
    api,
    'PUT',
    `/trails/{org}/${into}`,
    form({ name: trail, description: commit.message, origin_url: run, ...provenance }),
  );
  await need(api, 'POST', `/artifacts/{org}/${into}`, {
    fingerprint,
    filename: name,
    git_commit: commit.sha1,
    commit_url: `${repo.url}/commit/${commit.sha1}`,
    trail_name: trail,
    template_reference_name: artifact,
    build_url: run,
    ...provenance,
  });
  for (const { type, data, file } of evidence) {
    // All but overrides are forms.
    await need(
      api,
      'POST',
      `/attestations/{org}/${into}/trail/${trail}/${type}`,
      type === 'override' ? data : form(data, file === undefined ? {} : { file }),
    );
  }
  return true;
}

async function isAttested(
  api: Api,
  { service, fingerprint, trail }: Release,
  { attestation_name, artifact_fingerprint }: Attestation['data'],
): Promise<boolean> {
  const of = artifact_fingerprint === undefined ? `trail/${trail}` : `artifact/${fingerprint}`;
  const found = await find<unknown[]>(api, `/attestations/{org}/${service.flow}/${of}/${attestation_name}`);
  return found !== null && found.length > 0;
}

/**
 * Sends the reports of which the environment has no snapshot yet; every one of them makes one. Each is told at the time at which it was
 * true, unless the environment was reported later. Then a reporter looks now: of history nobody hears, so it finds the newest change of an
 * environment with an alarm.
 */
async function report(
  api: Api,
  { name, type, alarm }: { readonly name: string; readonly type: string; readonly alarm: boolean },
  reports: readonly Report[],
): Promise<number> {
  const latest = await find<{ index: number }>(api, `/snapshots/{org}/${name}/-1`);
  const rest = reports.slice(latest?.index ?? 0);
  const reported =
    (await need<{ last_reported_at: number | null }>(api, 'GET', `/environments/{org}/${name}`)).last_reported_at ?? 0;
  const send = ({ running }: Report, query = '') =>
    need(api, 'PUT', `/environments/{org}/${name}/report/${type}${query}`, { artifacts: running.map(itemOf(type)) });
  for (const each of rest.slice(0, alarm ? -1 : undefined)) {
    await send(each, each.at < reported ? '' : `?observed_at=${each.at}`);
  }
  const newest = rest.at(-1);
  if (newest !== undefined) await send(newest);
  return rest.length;
}

/** One instance as a reporter of this kind of environment says it. */
const itemOf =
  (type: string) =>
  ({ release, since }: Report['running'][number], i: number) => ({
    digests: { [release.name]: release.fingerprint },
    creationTimestamp: since,
    ...(type === 'K8S'
      ? { podName: `${release.service.artifact}-${release.fingerprint.slice(0, 9)}-${i}`, namespace: 'shop' }
      : {}),
  });
