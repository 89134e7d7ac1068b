import { askJson, networkOf } from './http';
import { Cloud } from './testing/replay';

describe('the network', () => {
  const proxy = new Cloud();
  let url: string;
  beforeAll(async () => {
    url = await proxy.start();
    proxy.answer = () => ({ body: { from: 'proxy' } });
  });
  beforeEach(() => void (proxy.requests.length = 0));
  afterAll(() => proxy.stop());
  const target = new URL('http://shop.invalid/api');

  it('goes through the proxy of the configuration, else of the environment, but not to NO_PROXY', async () => {
    const throughSetting = networkOf({ proxy: url, caFile: null }, {});
    expect(await askJson({ method: 'GET', url: target, network: throughSetting })).toEqual({ from: 'proxy' });
    const throughVariable = networkOf({ proxy: null, caFile: null }, { HTTP_PROXY: url });
    expect(await askJson({ method: 'GET', url: target, network: throughVariable })).toEqual({ from: 'proxy' });
    expect(proxy.requests).toEqual(['GET http://shop.invalid/api', 'GET http://shop.invalid/api']);
    const direct = networkOf({ proxy: url, caFile: null }, { NO_PROXY: 'shop.invalid' });
    await expect(askJson({ method: 'GET', url: target, network: direct })).rejects.toThrow('shop.invalid');
  });
});
