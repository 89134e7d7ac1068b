import { endsWithin } from './ends-within';

describe('a limited wait', () => {
  it('says whether the work ended in time', async () => {
    expect(await endsWithin(60_000, Promise.resolve())).toBe(true);
    expect(await endsWithin(1, new Promise(() => undefined))).toBe(false);
  });

  it('throws the error of the work', async () => {
    await expect(endsWithin(60_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
