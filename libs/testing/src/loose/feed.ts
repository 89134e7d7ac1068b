import type { Feed } from '@assurance/storage-ports';
import { interleave, repeat } from './shuffle';
import type { Loose } from './steps';

/** Every commit is delivered at least twice, in batches of any size, with streams in another order. */
export function looseFeed(feed: Feed, { random, step }: Loose): Feed {
  return {
    consume: (group, handle, options) =>
      feed.consume(
        group,
        async (batch) => {
          for (const delivery of repeat(interleave(batch, random), random)) {
            await step('feed.batch');
            // A batch that was asked to be small stays so, and one within the byte limit is a part of one that was.
            for (let from = 0; from < delivery.length; from += options.maxBatch) {
              await handle(delivery.slice(from, from + options.maxBatch));
            }
            await step('feed.handled');
          }
        },
        options,
      ),
  };
}
