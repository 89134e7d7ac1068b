import { Refused } from '@assurance/contracts/http/refusals';
import { ATTEMPTS, Streams } from './streams';

describe('a command that others overtake', () => {
  const streams = new Streams({} as Streams['engines'], { now: () => 0, id: () => '', random: () => 0 });

  it('is decided again until its append succeeds', async () => {
    let tried = 0;
    await expect(streams.retryConflicts('acme', 'a', async () => ((tried += 1) === 3 ? 'done' : null))).resolves.toBe(
      'done',
    );
    expect(tried).toBe(3);
  });

  it('gives up after a bounded number of attempts, as a lost race', async () => {
    let tried = 0;
    const input = streams.retryConflicts('acme', 'a', async () => {
      tried += 1;
      return null;
    });
    await expect(input).rejects.toEqual(new Refused({ kind: 'lost-race' }));
    await expect(input).rejects.toMatchObject({ refusal: { kind: 'lost-race' } });
    expect(tried).toBe(ATTEMPTS);
  });
});
