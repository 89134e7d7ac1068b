import { ApiError } from '../../api/error.ts';
import { find, form, callApi, type Service as Api } from './requests.ts';
import { type Attestation, evidenceOf } from './evidence.ts';
import { FINISHED } from './finished-tag.ts';
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

const DAY = 24 * 3600;

/**
 * Fills an organization with the history of an invented shop. It uses the routes that pipelines and reporters use. A repeated call continues where the
 * last one stopped. The services are built at the same time, and so are the environments reported.
 *
 * @param onProgress receives the completed part, from 0 to 1
 * @throws ApiError
 */
export async function makeDemo(api: Api, onProgress: (part: number) => void = () => undefined): Promise<void> {
  const { created_at } = await callApi<{ created_at: number }>(api, 'GET', '/organizations/{org}');
  // The history ends with the last midnight (UTC) before it was begun.
  const until = Math.floor(created_at / DAY) * DAY;
  const builds = SERVICES.map((service) => releasesOf(service, until));
  const releases = builds.flat().sort((a, b) => a.committed - b.committed);
  const reports = ENVIRONMENTS.map(({ name }) => reportsOf(name, releases));
  const steps = releases.length + reports.flat().length;
  let endedSteps = 0;
  const countStep = () => onProgress((endedSteps += 1) / steps);

  await waitForAll([
    define(api),
    ...SERVICES.map((service) => flow(api, service)),
    ...ENVIRONMENTS.map((env) => environment(api, env)),
  ]);
  await callApi(api, 'PUT', '/environments/{org}', ALL_OF_PRODUCTION);
  await moveIntoSpace(api);
  // Policies are in force before the first report, so that each snapshot is judged and failures are notified.
  await waitForAll([
    govern(api),
    ...builds.map((all) => inOrder(all, (release) => build(api, release).then(countStep))),
  ]);
  await waitForAll([
    ...SERVICES.map(({ repo }) => tagRepository(api, repo.name)),
    ...Object.entries(VULNERABILITY_FILES).map(([name, text]) =>
      callApi(api, 'POST', '/vulnerabilities/{org}', form({}, { file: ['attachment_file', name, text] })),
    ),
    ...ENVIRONMENTS.map((env, i) => reportHistory(api, env, reports[i] ?? [], countStep)),
  ]);
  await tag(api, 'environments', 'demo-production', FINISHED);
}

/** Waits for all tasks, so that none still runs after one failed. @throws the error of the first that failed */
async function waitForAll(tasks: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function inOrder<T>(items: readonly T[], does: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await does(item);
}

const tag = (api: Api, kind: string, id: string, set_tags: object) =>
  callApi(api, 'PATCH', `/tags/{org}/${kind}/${id}`, { set_tags });

async function tagRepository(api: Api, name: string): Promise<void> {
  const { id } = await callApi<{ id: string }>(api, 'GET', `/repos/{org}/${name}`);
  await tag(api, 'repos', id, { team: 'shop' });
}

async function flow(api: Api, service: Service): Promise<void> {
  const data = { name: service.flow, description: service.description };
  const file = ['template_file', 'template.yml', templateOf(service)] as const;
  await callApi(api, 'PUT', '/flows/{org}/template_file', form(data, { file }));
  await tag(api, 'flows', service.flow, { team: 'shop' });
}

async function environment(api: Api, { tier, ...body }: (typeof ENVIRONMENTS)[number]): Promise<void> {
  await callApi(api, 'PUT', '/environments/{org}', body);
  await tag(api, 'environments', body.name, { tier });
}

/** Moves environments and flows into the space of the shop. */
async function moveIntoSpace(api: Api): Promise<void> {
  const { id: space_id } = await callApi<{ id: string }>(api, 'PUT', '/spaces/{org}', { name: 'Demo shop' });
  const movedPaths = [
    ...[...ENVIRONMENTS, ALL_OF_PRODUCTION].map(({ name }) => `environments/{org}/${name}`),
    ...SERVICES.map(({ flow: name }) => `flows/{org}/${name}`),
  ];
  await waitForAll(movedPaths.map((path) => callApi(api, 'PUT', `/${path}/move`, { space_id })));
}

/** Begins a trail, reports its artifact and attests evidence, as a pipeline would, unless that was done before. */
async function build(api: Api, release: Release): Promise<void> {
  const { service, version, commit, fingerprint, name, trail } = release;
  const { flow: flowName, repo, artifact } = service;
  const evidence = evidenceOf(release);
  const newest = evidence.at(-1);
  if (newest !== undefined && (await isAttested(api, release, newest.data))) return;
  const provenance = { git_commit_info: commit, repo_info: repo };
  const run = `https://ci.example.com/${flowName}/${version}`;
  await callApi(
    api,
    'PUT',
    `/trails/{org}/${flowName}`,
    form({ name: trail, description: commit.message, origin_url: run, ...provenance }),
  );
  await callApi(api, 'POST', `/artifacts/{org}/${flowName}`, {
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
    const body = type === 'override' ? data : form(data, { file });
    await callApi(api, 'POST', `/attestations/{org}/${flowName}/trail/${trail}/${type}`, body);
  }
}

async function isAttested(
  api: Api,
  { service, fingerprint, trail }: Release,
  { attestation_name, artifact_fingerprint }: Attestation['data'],
): Promise<boolean> {
  const of = artifact_fingerprint === undefined ? `trail/${trail}` : `artifact/${fingerprint}`;
  const attestations = await find<unknown[]>(api, `/attestations/{org}/${service.flow}/${of}/${attestation_name}`);
  return attestations !== null && attestations.length > 0;
}

/**
 * Sends the reports of an environment, each with its time. The service refuses a repeated report, because its time is too early. The last report is
 * sent without a time too. In an environment with a notification it is sent only like that, because past times notify nobody.
 */
async function reportHistory(
  api: Api,
  { name, type }: (typeof ENVIRONMENTS)[number],
  reports: readonly Report[],
  countStep: () => void,
): Promise<void> {
  const send = ({ running }: Report, query = '') =>
    callApi(api, 'PUT', `/environments/{org}/${name}/report/${type}${query}`, {
      artifacts: running.map(itemOf(type)),
    });
  for (const [i, report] of reports.entries()) {
    const isLast = i === reports.length - 1;
    if (!(isLast && isWatched(name))) await send(report, `?observed_at=${report.at}`).catch(ignoreEarlierReport);
    if (isLast) await send(report);
    countStep();
  }
}

function ignoreEarlierReport(error: unknown): void {
  if (!(error instanceof ApiError && 'observed_at' in error.fields)) throw error;
}

/** Returns an instance in the form that a reporter of this type of environment sends. */
const itemOf =
  (type: string) =>
  ({ release, since }: Report['running'][number], i: number) => ({
    digests: { [release.name]: release.fingerprint },
    creationTimestamp: since,
    ...(type === 'K8S'
      ? { podName: `${release.service.artifact}-${release.fingerprint.slice(0, 9)}-${i}`, namespace: 'shop' }
      : {}),
  });
