import { Addresses, type Lookup } from './addresses';

type LookUp = Awaited<ReturnType<Lookup>>;

describe('the instances behind origins', () => {
  let now = 0;
  const names = new Map<string, LookUp | Error>();
  const requests: string[] = [];
  const resolve: Lookup = (name) => {
    requests.push(name);
    const results = names.get(name) ?? new Error('ENOTFOUND');
    return results instanceof Error ? Promise.reject(results) : Promise.resolve(results);
  };
  const v4 = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));
  const v6 = (...addresses: string[]) => addresses.map((address) => ({ address, family: 6 }));
  const of = (...origins: string[]) => new Addresses(origins, () => now, resolve);
  beforeEach(() => {
    requests.length = 0;
    names.clear();
  });

  it('are all addresses of a name, under that name', async () => {
    names.set('ingestion', v4('10.0.0.2', '10.0.0.1', '10.0.0.2'));
    names.set('other', v6('fd00::2', 'fd00::1'));
    const addresses = of('http://ingestion:8001', 'https://other');
    await addresses.refresh();
    expect(addresses.instances()).toEqual([
      { origin: 'http://10.0.0.1:8001', host: 'ingestion:8001', reachedAt: ['10.0.0.1:8001'] },
      { origin: 'http://10.0.0.2:8001', host: 'ingestion:8001', reachedAt: ['10.0.0.2:8001'] },
      { origin: 'https://[fd00::1]', host: 'other', reachedAt: ['[fd00::1]:443'] },
      { origin: 'https://[fd00::2]', host: 'other', reachedAt: ['[fd00::2]:443'] },
    ]);
  });

  it('are the origin itself where it is an address, or the name of one instance', async () => {
    names.set('localhost', [...v6('::1'), ...v4('127.0.0.1')]);
    const addresses = of('http://127.0.0.1:1', 'http://[::1]:1', 'http://localhost:1');
    await addresses.refresh();
    expect(addresses.instances()).toEqual([
      { origin: 'http://127.0.0.1:1', reachedAt: ['127.0.0.1:1'] },
      { origin: 'http://[::1]:1', reachedAt: ['[::1]:1'] },
      { origin: 'http://localhost:1', reachedAt: ['[::1]:1', '127.0.0.1:1'] },
    ]);
    expect(requests).toEqual(['localhost']);
  });

  it('follow the name while it is used, and stay while it cannot be resolved', async () => {
    const addresses = of('http://ingestion:8001');
    const origins = () => addresses.instances().map(({ origin }) => origin);
    expect(origins()).toEqual(['http://ingestion:8001']);
    await addresses.refresh();
    expect(origins()).toEqual(['http://ingestion:8001']);
    await addresses.refresh();
    names.set('ingestion', v4('10.0.0.1', '10.0.0.2'));
    // Nothing can be signed for an instance without an address, so its name is looked up at once.
    origins();
    await addresses.refresh();
    now += 4_999;
    origins();
    expect(origins()).toEqual(['http://10.0.0.1:8001', 'http://10.0.0.2:8001']);
    names.set('ingestion', new Error('EAI_AGAIN'));
    now += 1;
    origins();
    await addresses.refresh();
    expect(origins()).toEqual(['http://10.0.0.1:8001', 'http://10.0.0.2:8001']);
    expect(requests).toHaveLength(4);
  });
});
