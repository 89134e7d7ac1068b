import { atOnce } from '@assurance/kernel';
import { collect } from './difference';

describe('the items of a report', () => {
  it('of one name and digest are instances of one artifact, oldest first', () => {
    const digests = [['web', 'aa']] as const;
    expect(
      atOnce(
        collect([
          { digests, creationTimestamp: 30 },
          { digests, creationTimestamp: 0 },
          { digests, creationTimestamp: 20 },
        ]),
      ),
    ).toEqual([{ fingerprint: 'aa', name: 'web', instances: [0, 20, 30] }]);
  });

  it('with several digests are one artifact each, ordered by fingerprint and name', () => {
    const digests = Object.entries({ web: 'bb', api: 'bb', db: 'aa', new: '' });
    expect(atOnce(collect([{ digests, creationTimestamp: 7 }]))).toEqual([
      { fingerprint: '', name: 'new', instances: [7] },
      { fingerprint: 'aa', name: 'db', instances: [7] },
      { fingerprint: 'bb', name: 'api', instances: [7] },
      { fingerprint: 'bb', name: 'web', instances: [7] },
    ]);
  });

  it('without digests are none', () => expect(atOnce(collect([{ digests: [], creationTimestamp: 1 }]))).toEqual([]));
});
