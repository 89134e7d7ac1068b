import { azureAppsSource } from './azure-apps';
import { EVERYTHING } from './name-filter';
import { Cloud, digest, NETWORK, type ReplayedResponse } from './testing/replay';

const SITES = '/subscriptions/s-1/resourceGroups/shop/providers/Microsoft.Web/sites';
const API = '?api-version=2023-12-01';
const image = 'shop.azurecr.io/shop/web:1';
const site = (name: string, more = {}) => ({
  name,
  kind: 'app,linux,container',
  properties: { state: 'Running', siteConfig: { linuxFxVersion: `DOCKER|${image}` }, ...more },
});
const log = (name: string, sha256: string) => `2026-11-02T09:59:00.000Z INFO  - 1 Pulling from shop/web
2026-11-02T09:59:10.000Z INFO  -  Digest: sha256:${digest('0')}
2026-11-02T09:59:58.001Z INFO  -  Digest: sha256:${sha256}
2026-11-02T10:00:00.500Z INFO  - Container ${name}_0 for site ${name} initialized successfully and is ready to serve requests.
`;
const AT = Date.parse('2026-11-02T10:00:00Z') / 1_000;

describe('the report of Azure apps', () => {
  const cloud = new Cloud();
  let endpoint: string;
  let answers: Record<string, ReplayedResponse>;
  beforeAll(async () => {
    endpoint = await cloud.start();
    cloud.answer = ({ url = '' }) => answers[url] ?? { status: 404, body: { error: { message: `no ${url}` } } };
  });
  beforeEach(() => {
    answers = {
      [`${SITES}${API}`]: { body: { value: [site('web')], nextLink: `${endpoint}${SITES}${API}&$skiptoken=2` } },
      [`${SITES}${API}&$skiptoken=2`]: { body: { value: [site('stopped', { state: 'Stopped' }), site('mail')] } },
      [`${SITES}/web/containerlogs${API}`]: { body: log('web', digest('a')) },
      [`${SITES}/mail/containerlogs${API}`]: { status: 204 },
    };
  });
  afterAll(() => cloud.stop());
  const collect = async (apps = EVERYTHING) =>
    azureAppsSource({
      subscription: 's-1',
      resourceGroup: 'shop',
      digestsSource: 'logs',
      apps,
      endpoint,
      network: NETWORK,
      token: async () => Promise.resolve('t'),
    }).collect();
  const item = (app_name: string, sha256: string, creationTimestamp: number) => ({
    app_name,
    app_kind: 'app,linux,container',
    digests_source: 'logs',
    digests: { [image]: sha256 },
    creationTimestamp,
  });

  it('has the running apps of all pages, each with what its log says last', async () => {
    expect(await collect()).toEqual({ artifacts: [item('mail', '', 0), item('web', digest('a'), AT)] });
    expect(await collect({ ...EVERYTHING, include: ['mail'] })).toEqual({ artifacts: [item('mail', '', 0)] });
  });

  it('is empty for an empty group', async () => {
    answers[`${SITES}${API}`] = { body: { value: [] } };
    expect(await collect()).toEqual({ artifacts: [] });
  });

  it('fails when a page or a log is denied', async () => {
    const denied = {
      status: 403,
      body: { error: { code: 'AuthorizationFailed', message: 'does not have authorization' } },
    };
    answers[`${SITES}/web/containerlogs${API}`] = denied;
    await expect(collect()).rejects.toThrow('Azure answers 403 for the log of web: does not have authorization');
    answers[`${SITES}${API}&$skiptoken=2`] = denied;
    await expect(collect()).rejects.toThrow('does not have authorization');
  });

  it('gives its token to no other host', async () => {
    answers[`${SITES}${API}`] = { body: { value: [], nextLink: 'https://example.com/next' } };
    await expect(collect()).rejects.toThrow('names https://example.com as the place of the next page');
  });

  it('has apps that run uploaded code, on Linux and Windows, with an unknown digest', async () => {
    const uploaded = [
      site('java', { siteConfig: { linuxFxVersion: 'JAVA|21' } }),
      site('windows', { siteConfig: { linuxFxVersion: '' } }),
      site('function', { siteConfig: { linuxFxVersion: null } }),
      site('plain', { siteConfig: null }),
    ];
    answers[`${SITES}${API}`] = { body: { value: [...uploaded, site('web')] } };
    const unknown = (name: string) => ({ ...item(name, '', 0), digests: { [name]: '' } });
    expect(await collect()).toEqual({
      artifacts: [...['function', 'java', 'plain'].map(unknown), item('web', digest('a'), AT), unknown('windows')],
    });
  });

  it.each(['COMPOSE|dmVyc2lvbjo=', 'sitecontainers', 'KUBE|e30='])('fails for several containers: %s', async (runs) => {
    answers[`${SITES}${API}`] = { body: { value: [site('many', { siteConfig: { linuxFxVersion: runs } })] } };
    await expect(collect()).rejects.toThrow('many runs several containers');
    expect(await collect({ ...EVERYTHING, exclude: ['many'] })).toEqual({ artifacts: [] });
  });
});
