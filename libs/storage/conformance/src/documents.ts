import { bodies } from './documents/bodies';
import { drops } from './documents/drops';
import { forwards } from './documents/forwards';
import { lists } from './documents/lists';
import { merges } from './documents/merges';
import { orders } from './documents/orders';
import { queries } from './documents/queries';
import { scans } from './documents/scans';
import { opened } from './harness';
import type { Open } from './harness';

/**
 * The promises of the documents port, one test each.
 *
 * @param open documents with no collection yet
 */
export function documentsSuite(open: Open<'documents'>): void {
  describe('documents', () => {
    const engines = opened(open);
    const documents = () => engines().documents;
    describe('bodies and ids', () => bodies(documents));
    describe('forward and remove', () => forwards(documents));
    describe('merge', () => merges(documents));
    describe('lists', () => lists(documents));
    describe('queries', () => queries(documents));
    describe('write in order', () => orders(documents));
    describe('scan', () => scans(documents));
    describe('drop', () => drops(documents));
  });
}
