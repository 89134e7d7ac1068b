import { keyOf } from './support/declared';
import { onOwnServices } from './support/world';

const LIMIT = 5;
const GATEWAYS = 2;
const SETTINGS = {
  ASSURANCE_MAX_WRONG_KEYS_PER_MINUTE: String(LIMIT),
  ASSURANCE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
};

onOwnServices((world) => {
  const PATH = '/environments/acme';
  let guesses = 0;
  /** The answer to a request that comes from an address by way of a proxy. */
  const from = (address: string, key = `guess-${(guesses += 1)}`) =>
    world()
      .withHeader(`Bearer ${key}`)
      .send('GET', PATH, { headers: { 'x-forwarded-for': address } });
  /** Guesses until every gateway has refused to look. */
  const flood = async (address: string) => {
    const statuses: number[] = [];
    for (let i = 0; i < GATEWAYS * LIMIT; i += 1) statuses.push((await from(address)).status);
    expect(new Set(statuses.slice(0, LIMIT))).toEqual(new Set([401]));
  };

  it('of one address get 429 with Retry-After beyond a limit', async () => {
    await flood('198.51.100.1');
    for (let i = 0; i < GATEWAYS; i += 1) {
      const { status, headers, body } = await from('198.51.100.1');
      const seconds = Number(headers.get('retry-after'));
      expect([status, seconds >= 1 && seconds <= 60]).toEqual([429, true]);
      expect(body).toEqual({
        message: `Too many wrong API keys came from this address. Try again in ${seconds} s`,
      });
    }
  });

  it('are counted by the address that the last trusted proxy saw, whatever a caller pretends', async () => {
    for (let i = 0; i < GATEWAYS * LIMIT; i += 1) await from(`203.0.113.${i}, 198.51.100.2`);
    expect((await from('203.0.113.99, 198.51.100.2')).status).toBe(429);
    expect((await from('198.51.100.3')).status).toBe(401);
  });

  it('lock out neither a caller of another address nor one whose key is known', async () => {
    for (let i = 0; i < GATEWAYS; i += 1) expect((await from('198.51.100.4', keyOf('reader'))).status).toBe(200);
    await flood('198.51.100.4');
    expect((await from('198.51.100.4')).status).toBe(429);
    for (let i = 0; i < GATEWAYS; i += 1) expect((await from('198.51.100.4', keyOf('reader'))).status).toBe(200);
    for (let i = 0; i < GATEWAYS; i += 1) expect((await from('198.51.100.5', keyOf('admin'))).status).toBe(200);
  });

  it('do not include requests without a key', async () => {
    for (let i = 0; i < 3 * GATEWAYS * LIMIT; i += 1) {
      const headers = { 'x-forwarded-for': '198.51.100.6' };
      expect((await world().withHeader(null).send('GET', PATH, { headers })).status).toBe(401);
    }
  });
}, SETTINGS);
