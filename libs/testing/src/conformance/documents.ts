import type { CollectionDefinition, Document, Documents } from '@assurance/storage-ports';
import { bodies } from './documents/bodies';
import { drops } from './documents/drops';
import { forwards } from './documents/forwards';
import { ids } from './documents/ids';
import { lists } from './documents/lists';
import { merges } from './documents/merges';
import { orders } from './documents/orders';
import { queries } from './documents/queries';
import { scans } from './documents/scans';
import { type OpenEngine, opened } from './harness';

/**
 * The promises of the documents port, one test each.
 *
 * @param open documents with no collection yet
 */
export function documentsSuite(open: OpenEngine<'documents'>): void {
  const hows = [
    ['at once', {}],
    ['at once, merged often', { mergedOften: true }],
    ['deferred', { deferred: 'first' }],
    ['deferred, with ids', { deferred: 'first', ids: ['commit.sha1'] }],
  ] as const;
  describe.each(hows)('documents, written %s', (how, also) => {
    const engines = opened(open);
    const documents = () => (how === 'at once' ? engines().documents : declareMore(engines().documents, also));
    describe('bodies and ids', () => bodies(documents));
    describe('forward and remove', () => forwards(documents));
    describe('merge', () => merges(documents));
    describe('lists', () => lists(documents));
    describe('queries', () => queries(documents));
    describe('write in order', () => orders(documents));
    describe('scan', () => scans(documents));
    describe('drop', () => drops(documents));
    describe('ids', () => ids(documents));
  });
}

/** By what is declared beside, then by definition. */
const declared = new WeakMap<object, WeakMap<object, unknown>>();

/** The same documents, with a further declaration for every collection. No reader sees a difference. */
function declareMore(documents: Documents, more: Partial<CollectionDefinition<Document>>): Documents {
  const created = declared.get(more) ?? new WeakMap<object, unknown>();
  declared.set(more, created);
  const also = <T extends Document>(definition: CollectionDefinition<T>): CollectionDefinition<T> => {
    const collection = created.get(definition) as CollectionDefinition<T> | undefined;
    const its =
      collection ??
      ({
        ids: more.ids,
        ...definition,
        deferred: more.deferred,
        mergedOften: more.mergedOften,
      } as CollectionDefinition<T>);
    created.set(definition, its);
    return its;
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
