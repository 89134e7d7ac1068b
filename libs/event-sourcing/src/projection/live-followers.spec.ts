import { StoreUnavailable } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import type { Ports } from '../tokens';
import { Generations } from './generations';
import { liveFollowers } from './live-followers';
import type { View } from './view';
import { CheckpointCache } from './view-checkpoints';

const view = (version: number): View => ({
  name: 'sample',
  version,
  collections: [],
  kinds: new Set(),
  types: new Set(),
  take: () => Promise.resolve(),
});

describe('a generation that serves', () => {
  let temporary: Awaited<ReturnType<typeof openTemporary>>;
  beforeEach(async () => (temporary = await openTemporary()));
  afterEach(() => temporary.close());

  /** The follower for a view of this version, if version 2 built the serving generation. */
  async function follower(version: number) {
    const generations = new Generations({ documents: temporary.engines.documents } as Ports);
    const { number, without } = await generations.begin(view(2));
    await generations.swap(view(2), number, without);
    const { followers } = await liveFollowers(generations, [view(version)], new CheckpointCache());
    const [serving] = followers;
    if (serving === undefined) throw new Error('nothing follows');
    return serving;
  }

  it('of this version parks a stream that it cannot take', async () => {
    const { failed } = await follower(2);
    await expect(failed('trail/1', new Error('no such field'))).rejects.toThrow('no such field');
  });

  it('of an earlier version delays nothing by what it cannot take', async () => {
    const { failed } = await follower(3);
    await expect(failed('trail/1', new Error('no such field'))).resolves.toBeUndefined();
  });

  it('of an earlier version waits for the store all the same', async () => {
    const { failed } = await follower(3);
    await expect(failed('trail/1', new StoreUnavailable('away'))).rejects.toThrow('away');
  });
});
