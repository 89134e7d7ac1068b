import type { CollectionDefinition, Document, Documents } from '@assurance/storage-ports';
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
  describe.each([['at once'], ['deferred']] as const)('documents, written %s', (how) => {
    const engines = opened(open);
    const documents = () => (how === 'deferred' ? deferring(engines().documents) : engines().documents);
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

const deferred = new WeakMap<object, unknown>();

/** The same documents, of which every collection is deferred: no reader sees a difference. */
function deferring(documents: Documents): Documents {
  const also = <T extends Document>(definition: CollectionDefinition<T>): CollectionDefinition<T> => {
    const known = deferred.get(definition) as CollectionDefinition<T> | undefined;
    const made = known ?? { ...definition, deferred: 'first' };
    deferred.set(definition, made);
    return made;
  };
  return {
    collection: (definition) => documents.collection(also(definition)),
    writeInOrder: (steps) =>
      documents.writeInOrder(
        steps.map((step) => step.map(({ collection, writes }) => ({ collection: also(collection), writes }))),
      ),
    persist: () => documents.persist(),
    drop: (definition) => documents.drop(also(definition)),
  };
}
