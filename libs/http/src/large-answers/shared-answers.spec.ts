import { text } from 'node:stream/consumers';
import { SharedAnswers } from './shared-answers';

describe('a shared answer', () => {
  let now = 0;
  let count = 0;
  const answers = new SharedAnswers(() => now);
  const items = Array.from({ length: 60_000 }, (_, i) => `item number ${i}`);
  const get = (key: string) =>
    answers.get({
      key,
      make: () => {
        count += 1;
        return Promise.resolve({ key, items });
      },
    });
  const read = async (key: string) => {
    const content = (await get(key)).content();
    return Buffer.isBuffer(content) ? content.toString() : text(content);
  };
  beforeEach(() => (count = 0));

  it('is made once for all who ask at once, and read by each', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => read('one')));
    expect(new Set(all)).toEqual(new Set([JSON.stringify({ key: 'one', items })]));
    expect(count).toBe(1);
    expect(await get('two')).not.toBe(await get('one'));
  });

  it('is one body for ten seconds while a reader has it', async () => {
    const first = await get('three');
    now += 9_999;
    expect(await get('three')).toBe(first);
    now += 1;
    expect(await get('three')).not.toBe(first);
    expect(count).toBe(2);
  });

  it('fails for all who wait for it, and is made again for the next', async () => {
    const failing = () => answers.get({ key: 'four', make: () => Promise.reject(new Error('the store is away')) });
    expect(await Promise.allSettled([failing(), failing()])).toMatchObject([
      { reason: { message: 'the store is away' } },
      { reason: { message: 'the store is away' } },
    ]);
    expect(await read('four')).toContain('item number 7');
  });
});
