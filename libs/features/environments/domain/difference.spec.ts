import { collectInSlices } from '../write/decide-in-slices';

const T = 1_700_000_000;

describe('the items of a report', () => {
  it('of one name and digest are instances of one artifact, oldest first', async () => {
    const digests = [['web', 'aa']] as const;
    expect(
      await collectInSlices([
        { digests, creationTimestamp: T + 30 },
        { digests, creationTimestamp: 0 },
        { digests, creationTimestamp: T + 20 },
      ]),
    ).toEqual([{ fingerprint: 'aa', name: 'web', instances: [0, T + 20, T + 30] }]);
  });

  it('with several digests are one artifact each, ordered by fingerprint and name', async () => {
    const digests = Object.entries({ web: 'bb', api: 'bb', db: 'aa', new: '' });
    expect(await collectInSlices([{ digests, creationTimestamp: T }])).toEqual([
      { fingerprint: '', name: 'new', instances: [T] },
      { fingerprint: 'aa', name: 'db', instances: [T] },
      { fingerprint: 'bb', name: 'api', instances: [T] },
      { fingerprint: 'bb', name: 'web', instances: [T] },
    ]);
  });

  it('without digests are none', async () =>
    expect(await collectInSlices([{ digests: [], creationTimestamp: 1 }])).toEqual([]));
});
