import { bounds } from './feed/bounds';
import { deliveries } from './feed/deliveries';
import { failures } from './feed/failures';
import { positions } from './feed/positions';
import { type OpenEngine, opened } from './harness';

/**
 * The promises of the feed port, one test each. Nothing here forbids repeats, or an order across streams.
 *
 * @param open a feed and the event store it follows
 */
export function feedSuite(open: OpenEngine<'events' | 'feed'>): void {
  describe('feed', () => {
    const engines = opened(open);
    describe('deliveries', () => deliveries(engines));
    describe('bounded batches', () => bounds(engines));
    describe('positions', () => positions(engines));
    describe('failures', () => failures(engines));
  });
}
