import { appends } from './event-store/appends';
import { bounds } from './event-store/bounds';
import { data } from './event-store/data';
import { drops } from './event-store/drops';
import { lookUps } from './event-store/look-ups';
import { removes } from './event-store/removes';
import { scans } from './event-store/scans';
import { type OpenEngine, opened } from './harness';

/**
 * The promises of the event store port, one test each.
 *
 * @param open a store with nothing in it
 */
export function eventStoreSuite(open: OpenEngine<'events'>): void {
  describe('event store', () => {
    const engines = opened(open);
    const events = () => engines().events;
    describe('append', () => appends(events));
    describe('look-ups', () => lookUps(events));
    describe('scan', () => scans(events));
    describe('data outside commits', () => data(events));
    describe('dropped data', () => drops(events));
    describe('removed streams and data', () => removes(events));
    // Last, because it commits thousands of events, which every scan would read.
    describe('verbatim and bounded', () => bounds(events));
  });
}
