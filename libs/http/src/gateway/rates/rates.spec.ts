import fc from 'fast-check';
import type { Limits } from '@assurance/event-sourcing/tokens';
import type { Collection, Document } from '@assurance/storage-ports';
import type { Identity } from '../../identity';
import type { Rate } from '../../rate';
import { MINUTE_MS } from './counts';
import { Rates } from './rates';

const ada: Identity = {
  org: { id: 'o1', name: 'acme' },
  principal: { id: 'p1', kind: 'user', name: 'ada', role: 'admin' },
  key: 'k1',
};

/** State that several gateways share: documents with serialized merges, as the port promises, and a clock. */
class SharedState {
  now = 100 * MINUTE_MS;
  away = false;
  merges = 0;
  private readonly collections = new Map<string, Map<string, Document>>();

  gateway(gateway: string, limits: Limits['perMinute']): Rates {
    const clock = { now: () => this.now, steady: () => this.now };
    const collection = <T extends Document>({ name }: { readonly name: string }): Collection<T> => {
      const docs = this.collections.get(name) ?? new Map<string, Document>();
      this.collections.set(name, docs);
      const merge = async (ids: readonly string[], change: (current: T | null, id: string) => T | undefined) => {
        await Promise.resolve();
        if (this.away) throw new Error('nobody answers');
        this.merges += 1;
        for (const id of ids) {
          const next = change((docs.get(id) as T | undefined) ?? null, id);
          if (next !== undefined) docs.set(id, JSON.parse(JSON.stringify(next)) as T);
        }
        await Promise.resolve();
      };
      return { merge } as unknown as Collection<T>;
    };
    const rates = new Rates({ limits, documents: { collection }, clock, logger: { warn: () => undefined }, gateway });
    // The test decides when a second is over.
    rates.stop();
    return rates;
  }
}

async function letIn(rates: Rates, times: number, who = ada): Promise<number> {
  const requests: Promise<Rate | null>[] = [];
  for (let i = 0; i < times; i += 1) requests.push(Promise.resolve(rates.take(who)));
  return (await Promise.all(requests)).filter((rate) => rate?.allowed !== false).length;
}

const KEY_ONLY = (key: number): Limits['perMinute'] => ({ key, organization: 0 });

describe('the rate of a key', () => {
  it('is exactly its limit in one process, for concurrent and for sequential requests', async () => {
    for (const limit of [1, 7, 100, 1_000]) {
      const shared = new SharedState();
      const rates = shared.gateway('g1', KEY_ONLY(limit));
      expect(await letIn(rates, 3 * limit)).toBe(limit);
      shared.now += MINUTE_MS;
      let count = 0;
      for (let i = 0; i < 2 * limit; i += 1) {
        if (i % 10 === 0) await rates.publishCounts();
        count += await letIn(rates, 1);
      }
      expect(count).toBe(limit);
    }
  });

  it('says what is left, until when, and when to come again', async () => {
    const shared = new SharedState();
    shared.now += 20_500;
    const rates = shared.gateway('g1', KEY_ONLY(3));
    const take = () => Promise.resolve(rates.take(ada));
    expect(await take()).toEqual({ allowed: true, limit: 3, remaining: 2, reset: 40, retryAfter: 1 });
    await take();
    expect(await take()).toMatchObject({ allowed: true, remaining: 0 });
    expect(await take()).toEqual({ allowed: false, limit: 3, remaining: 0, reset: 40, retryAfter: 40 });
    shared.now += 39_500;
    expect(await take()).toMatchObject({ allowed: true, remaining: 2, reset: 60 });
  });

  it('lets a slow caller have all of it', async () => {
    const shared = new SharedState();
    const rates = shared.gateway('g1', KEY_ONLY(40));
    for (let second = 0; second < 60; second += 1) {
      if (second % 3 !== 0) expect(await letIn(rates, 1)).toBe(1);
      await rates.publishCounts();
      shared.now += 1_000;
    }
  });

  it('follows the caller to another gateway within seconds', async () => {
    const shared = new SharedState();
    const [firstGateway, secondGateway] = [
      shared.gateway('g1', KEY_ONLY(1_000)),
      shared.gateway('g2', KEY_ONLY(1_000)),
    ];
    expect(await letIn(firstGateway, 300)).toBe(300);
    let more = 0;
    for (let second = 0; second < 20; second += 1) {
      more += await letIn(secondGateway, 100);
      await Promise.all([firstGateway.publishCounts(), secondGateway.publishCounts()]);
      shared.now += 1_000;
    }
    expect(more).toBeGreaterThanOrEqual(700);
  });

  const step = fc.record({
    gateway: fc.nat({ max: 3 }),
    requests: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 400 })),
    pass: fc.constantFrom(0, 1, 400, 1_000, 7_000),
    tell: fc.subarray([0, 1, 2, 3]),
  });

  it('is at most its limit and a fifth over up to four gateways, however the requests come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.array(step, { maxLength: 60 }), async (limit, steps) => {
        const shared = new SharedState();
        const gateways = [0, 1, 2, 3].map((i) => shared.gateway(`g${i}`, KEY_ONLY(limit)));
        const minutes = new Map<number, number>();
        for (const { gateway, requests, pass, tell } of steps) {
          const minute = Math.floor(shared.now / MINUTE_MS);
          const telling = gateways.filter((_, i) => tell.includes(i)).map((gateway) => gateway.publishCounts());
          const count = await letIn(gateways[gateway] as Rates, requests);
          await Promise.all(telling);
          minutes.set(minute, (minutes.get(minute) ?? 0) + count);
          shared.now += pass;
        }
        for (const count of minutes.values()) expect(count).toBeLessThanOrEqual(1.2 * limit);
      }),
      { numRuns: 100 },
    );
  });

  it('is used up completely, and hardly exceeded, when all gateways get too many requests', async () => {
    const shared = new SharedState();
    const gateways = [1, 2, 3].map((i) => shared.gateway(`g${i}`, KEY_ONLY(600)));
    let count = 0;
    for (let second = 0; second < 30; second += 1) {
      const counts = await Promise.all(gateways.map((gateway) => letIn(gateway, 300)));
      count += counts.reduce((sum, count) => sum + count, 0);
      await Promise.all(gateways.map((gateway) => gateway.publishCounts()));
      shared.now += 1_000;
    }
    expect([count >= 600, count <= 720]).toEqual([true, true]);
  });

  it('keeps to its part of the limit while the others cannot be asked, and to all of it afterwards', async () => {
    const shared = new SharedState();
    const gateways = [1, 2, 3].map((i) => shared.gateway(`g${i}`, KEY_ONLY(300)));
    for (const gateway of gateways) await letIn(gateway, 20);
    shared.now += MINUTE_MS;
    for (const gateway of gateways) await letIn(gateway, 20);
    shared.now += MINUTE_MS;
    shared.away = true;
    for (const gateway of gateways) {
      expect(await letIn(gateway, 1)).toBe(1);
      for (let i = 0; i < 3; i += 1) {
        await letIn(gateway, 300);
        shared.now += 1_000;
      }
    }
    shared.now += MINUTE_MS;
    const counts = await Promise.all(gateways.map((gateway) => letIn(gateway, 300)));
    expect(counts).toEqual([100, 100, 100]);
    shared.away = false;
    shared.now += MINUTE_MS;
    await letIn(gateways[0] as Rates, 150);
    await gateways[0]?.publishCounts();
    shared.now += 1_000;
    expect(await letIn(gateways[0] as Rates, 150)).toBeGreaterThan(100);
  });

  it('needs less than a write for each request, and no write with few or no requests', async () => {
    const shared = new SharedState();
    const rates = shared.gateway('g1', KEY_ONLY(10_000));
    for (let second = 0; second < 30; second += 1) await rates.publishCounts();
    expect(shared.merges).toBe(0);
    await letIn(rates, 200);
    for (let second = 0; second < 30; second += 1) await rates.publishCounts();
    const few = shared.merges;
    expect(few).toBeLessThanOrEqual(1);
    for (let second = 0; second < 30; second += 1) {
      await letIn(rates, 200);
      await rates.publishCounts();
      shared.now += 1_000;
    }
    expect(shared.merges - few).toBeLessThanOrEqual(2 * 30);
    const busy = shared.merges;
    for (let second = 0; second < 29; second += 1) {
      await rates.publishCounts();
      shared.now += 1_000;
    }
    expect(shared.merges - busy).toBeLessThanOrEqual(1);
  });
});

describe('the rate of an organization', () => {
  it('counts all of its keys together, and a request that it refuses is none of its key', async () => {
    const shared = new SharedState();
    const rates = shared.gateway('g1', { key: 10, organization: 15 });
    expect(await letIn(rates, 20)).toBe(10);
    expect(await letIn(rates, 20, { ...ada, key: 'k2' })).toBe(5);
    const other: Identity = { ...ada, key: 'k2', org: { id: 'o2', name: 'other' } };
    expect(await letIn(rates, 20, other)).toBe(5);
  });
});
