import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import { checkedBody, parseBody } from '../body';
import { RefusalError } from '../refusals';
import { LargeBodies } from './large-bodies';
import type { LargeBodyResult } from './read-large';

const LIMIT = 2_000;
const route: Route = routes.reportDocker;
const item = (i: number, creationTimestamp: unknown = 1) => ({
  digests: { [`web-${i}:1.0 \ud83d\ude80`]: i.toString(16).padStart(64, 'A') },
  creationTimestamp,
});
/** The bytes in their own buffer, like the bytes of large bodies. */
const bytesOf = (body: unknown) =>
  Buffer.from(new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)).buffer);
const many = (count: number, each: (i: number) => unknown = item) => ({
  artifacts: Array.from({ length: count }, (_, i) => each(i)),
});

/** The result for a small body. */
function ordinary(bytes: Buffer): LargeBodyResult {
  let kind: 'malformed' | 'refused' = 'malformed';
  try {
    const json = parseBody(bytes, route, Infinity);
    kind = 'refused';
    if (route.body?.kind !== 'json') throw new Error('a report is JSON');
    return { kind: 'read', text: JSON.stringify(checkedBody(route.body, json, LIMIT)) };
  } catch (error) {
    if (error instanceof RefusalError) return { kind, refusal: error.refusal };
    throw error;
  }
}

describe('large bodies', () => {
  const bodies = new LargeBodies();
  afterAll(() => bodies.close());
  const hold = (body: unknown, owner = 'acme') => bodies.hold(owner, route, bytesOf(body), LIMIT);
  const read = async (body: unknown, owner = 'acme') => {
    const { read, leave } = await hold(body, owner);
    leave();
    return read;
  };

  it('are reports of more than 128 KiB', () => {
    expect(LargeBodies.reads(route, Buffer.alloc(128 * 1024))).toBe(false);
    expect(LargeBodies.reads(route, Buffer.alloc(128 * 1024 + 1))).toBe(true);
    expect(LargeBodies.reads(routes.putEnvironment, Buffer.alloc(256 * 1024))).toBe(false);
    expect(LargeBodies.reads(routes.putPolicy, Buffer.alloc(1024 * 1024))).toBe(false);
  });

  it.each([
    ['right', many(LIMIT)],
    ['without artifacts', { artifacts: null }],
    ['with too many artifacts', many(LIMIT + 1)],
    ['wrong in many places', many(300, (i) => item(i, i % 2 === 0 ? 'x' : 1))],
    ['with fields that nobody knows', { ...many(3), more: 1 }],
    ['not JSON', '{"artifacts":['],
    ['with a prototype', '{"artifacts":[],"__proto__":{"a":1}}'],
    ['with a name twice', `{"artifacts":[{"digests":{"a":"${'a'.repeat(64)}","a":""},"creationTimestamp":1}]}`],
    ['with a number of too many digits', '{"artifacts":[{"digests":{},"creationTimestamp":1.00000000000000000001}]}'],
    ['with half of a surrogate pair', '{"artifacts":[{"digests":{"\\ud800":""},"creationTimestamp":1}]}'],
  ])('that are %s are read as small ones are', async (_what, body) => {
    const result = await read(body);
    expect(result).toEqual(ordinary(bytesOf(body)));
  });

  it.each(['[],', '{},', '0,', '[', '"\\",",'])('of millions of `%s` are refused unread', async (value) => {
    const bomb = `{"artifacts":[${value.repeat(5_000_000)}`;
    const refused = await read(bomb);
    expect(refused).toEqual({
      kind: 'refused',
      refusal: {
        kind: 'invalid',
        errors: {
          body: expect.stringMatching(
            /^Input holds more values than the limit of 200000\. Divide what runs between environments/,
          ) as string,
        },
      },
    });
  });

  it('take memory once: their bytes pass to the thread', async () => {
    const bytes = bytesOf(many(LIMIT));
    (await bodies.hold('acme', route, bytes, LIMIT)).leave();
    expect(bytes.length).toBe(0);
  });

  it('of one organization do not wait for all of another', async () => {
    const order: string[] = [];
    const ask = (owner: string) => read(many(LIMIT), owner).then(() => order.push(owner));
    const acme = Array.from({ length: 6 }, () => ask('acme'));
    await ask('other');
    expect(order.length).toBeLessThan(4);
    await Promise.all(acme);
  });

  it('of one organization are parsed two at a time, until they are answered; those of another do not wait for that', async () => {
    const first = await hold(many(1));
    const second = await hold(many(1));
    let third: LargeBodyResult | null = null;
    const holding = hold(many(1)).then((own) => {
      third = own.read;
      return own;
    });
    // The thread would read a waiting body before these, because its organization used the thread less.
    for (let i = 0; i < 6; i += 1) await read(many(1), 'other');
    expect(third).toBeNull();
    second.leave();
    (await holding).leave();
    expect(third).toEqual(first.read);
    first.leave();
  });

  it('fail without a reader', async () => {
    const own = new LargeBodies();
    await own.close();
    await expect(own.hold('acme', route, bytesOf(many(1)), LIMIT)).rejects.toThrow('no body is read any more');
  });
});
