import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { longAnswer, mayBeLong } from './long-answer';

const textOf = async (body: unknown) => {
  const long = await longAnswer(body);
  const [fields, { length }] = [long.content(), long];
  const whole = Buffer.isBuffer(fields) ? fields.toString() : await text(fields);
  expect(length).toBe(Buffer.byteLength(whole));
  return whole;
};

describe('a long answer', () => {
  it('is one with a long list near its top', () => {
    const items = Array.from({ length: 17 }, (_, i) => i);
    for (const long of [items, { data: items }, { a: { b: [{ c: items }] } }]) expect(mayBeLong(long)).toBe(true);
    for (const short of [null, 'x'.repeat(1_000), Buffer.alloc(1_000), { name: 'a', list: [1, { b: 2 }] }]) {
      expect(mayBeLong(short)).toBe(false);
    }
  });

  it('has the text that it has at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const long = { left: undefined, value, list: Array.from({ length: 50 }, () => value) };
        expect(await textOf(long)).toBe(JSON.stringify(long));
        expect(await textOf([long, undefined])).toBe(JSON.stringify([long, undefined]));
      }),
      { numRuns: 50 },
    );
  });

  it('comes piece by piece when it is large, and lets others run while it is written', async () => {
    const artifacts = Array.from({ length: 40_000 }, (_, i) => ({
      name: `é${i}`,
      flows: [{ digest: 'a'.repeat(64) }],
    }));
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    const long = await longAnswer({ artifacts });
    clearInterval(timer);
    const [body, { length }] = [long.content(), long];
    if (Buffer.isBuffer(body)) throw new Error('it is in one piece');
    expect(length).toBeGreaterThan(3_000_000);
    expect(await text(body)).toBe(JSON.stringify({ artifacts }));
    expect(ticks).toBeGreaterThan(2);
  });
});
