import { cloudRunSource, revisionNames, digestIn } from './cloud-run';
import { EVERYTHING } from './name-filter';
import { Cloud, digest, NETWORK, type ReplayedResponse } from './testing/replay';

const PARENT = '/v2/projects/shop/locations/europe-west1';
const name = (path: string) => `projects/shop/locations/europe-west1/${path}`;
const AT = Date.parse('2026-11-02T10:00:00Z') / 1_000;
const createTime = '2026-11-02T10:00:00.123456Z';
const pinned = `europe-docker.pkg.dev/shop/web@sha256:${digest('a')}`;

const web = {
  name: name('services/web'),
  traffic: [{ revision: 'web-1' }, {}],
  latestReadyRevision: name('services/web/revisions/web-2'),
};
const revision = (short: string, image: string) => ({
  name: name(`services/web/revisions/${short}`),
  createTime,
  containers: [{ image }],
});
const ANSWERS: Record<string, ReplayedResponse> = {
  [`${PARENT}/services?pageSize=100`]: { body: { services: [web], nextPageToken: 'more' } },
  [`${PARENT}/services?pageSize=100&pageToken=more`]: { body: { services: [{ name: name('services/idle') }] } },
  [`${PARENT}/services/web/revisions/web-1`]: { body: revision('web-1', pinned) },
  [`${PARENT}/services/web/revisions/web-2`]: { body: revision('web-2', 'docker.io/shop/web:2') },
  [`${PARENT}/jobs?pageSize=100`]: {
    body: {
      jobs: [{ name: name('jobs/nightly'), createTime, template: { template: { containers: [{ image: pinned }] } } }],
    },
  },
};

describe('the report of Cloud Run', () => {
  const cloud = new Cloud();
  let endpoint: string;
  let answers: Record<string, ReplayedResponse>;
  beforeAll(async () => {
    endpoint = await cloud.start();
    cloud.answer = ({ url = '', headers }) =>
      headers.authorization === 'Bearer t'
        ? (answers[url] ?? { status: 404, body: { error: { message: `no ${url}` } } })
        : { status: 401 };
  });
  beforeEach(() => (answers = { ...ANSWERS }));
  afterAll(() => cloud.stop());
  const collect = async (names = EVERYTHING) =>
    cloudRunSource({
      project: 'shop',
      region: 'europe-west1',
      names,
      endpoint,
      network: NETWORK,
      token: async () => Promise.resolve('t'),
    }).collect();

  const job = { digests: { [pinned]: digest('a') }, creationTimestamp: AT, kind: 'job', jobName: 'nightly' };

  it('has the revisions that get requests, and jobs, of all pages', async () => {
    const service = { creationTimestamp: AT, kind: 'service', serviceName: 'web' };
    expect(await collect()).toEqual({
      type: 'cloud-run',
      artifacts: [
        job,
        { ...service, digests: { [pinned]: digest('a') }, revisionName: 'web-1' },
        // This registry is not Google's. It is not asked for the digest, because it would see the token.
        { ...service, digests: { 'docker.io/shop/web:2': '' }, revisionName: 'web-2' },
      ],
    });
    expect(await collect({ ...EVERYTHING, exclude: ['web'] })).toEqual({ type: 'cloud-run', artifacts: [job] });
  });

  it('takes no digest for unknown because the registry refuses to name it', () => {
    const headers = { 'docker-content-digest': `sha256:${digest('a')}` };
    const image = 'europe-docker.pkg.dev/shop/web:1';
    expect(digestIn({ status: 200, headers }, 'europe-docker.pkg.dev', image)).toBe(digest('a'));
    expect(digestIn({ status: 404, headers: {} }, 'europe-docker.pkg.dev', image)).toBe('');
    for (const status of [401, 403, 429, 500]) {
      expect(() => digestIn({ status, headers: {} }, 'europe-docker.pkg.dev', image)).toThrow(
        `answers ${status} for ${image}`,
      );
    }
  });

  it('is empty for an empty project', async () => {
    answers[`${PARENT}/services?pageSize=100`] = answers[`${PARENT}/jobs?pageSize=100`] = { body: {} };
    expect(await collect()).toEqual({ type: 'cloud-run', artifacts: [] });
  });

  it.each(Object.keys(ANSWERS))('fails when %s is denied', async (url) => {
    answers[url] = { status: 403, body: { error: { code: 403, message: 'Permission run.services.list denied' } } };
    await expect(collect()).rejects.toThrow(/answers 403 .*Permission run.services.list denied/);
  });

  it('fails when a region is missing in the list', async () => {
    answers[`${PARENT}/jobs?pageSize=100`] = { body: { jobs: [], unreachable: [name('')] } };
    await expect(collect()).rejects.toThrow('does not reach');
  });

  it('names each revision once', () => {
    expect(revisionNames({ name: 'x', traffic: [{}, { revision: 'x-1' }], latestReadyRevision: 'a/b/x-1' })).toEqual([
      'x-1',
    ]);
  });
});
