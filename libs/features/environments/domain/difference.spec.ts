import { collect } from './difference';

const T = 1_700_000_000;

describe('the items of a report', () => {
  it('of one name and digest are instances of one artifact, oldest first', () => {
    const digests = [['web', 'aa']] as const;
    expect(
      collect([
        { digests, creationTimestamp: T + 30 },
        { digests, creationTimestamp: 0 },
        { digests, creationTimestamp: T + 20 },
      ]),
    ).toEqual([{ fingerprint: 'aa', name: 'web', instances: [0, T + 20, T + 30] }]);
  });

  it('with several digests are one artifact each, ordered by fingerprint and name', () => {
    const digests = Object.entries({ web: 'bb', api: 'bb', db: 'aa', new: '' });
    expect(collect([{ digests, creationTimestamp: T }])).toEqual([
      { fingerprint: '', name: 'new', instances: [T] },
      { fingerprint: 'aa', name: 'db', instances: [T] },
      { fingerprint: 'bb', name: 'api', instances: [T] },
      { fingerprint: 'bb', name: 'web', instances: [T] },
    ]);
  });

  it('without digests are none', () => expect(collect([{ digests: [], creationTimestamp: 1 }])).toEqual([]));
});
