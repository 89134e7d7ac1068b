import type { EventMeta } from '@assurance/contracts/events/event';
import type { Collection, Documents } from '@assurance/storage-ports';
import { type FlowActivityRow, flowActivityView } from './activity';

/** Keeps one document, as the view merges it. */
function rowKept() {
  let row: FlowActivityRow | null = null;
  const collection = {
    merge: (ids: readonly string[], change: (current: FlowActivityRow | null, id: string) => FlowActivityRow) => {
      for (const id of ids) row = change(row, id);
      return Promise.resolve();
    },
  };
  const documents = { collection: () => collection as unknown as Collection<never> } as unknown as Documents;
  return { documents, row: () => row };
}

const meta = (seq: number): EventMeta => ({ org: 'o', stream: 'flow/f', seq, at: 1000 * seq, actor: 'x' });
const renamed = (name: string) => ({ type: 'FlowRenamed', version: 1, data: { name, previousName: '' } });
const archived = { type: 'FlowArchived', version: 1, data: {} };
const revived = { type: 'FlowRevived', version: 1, data: {} };

describe('flow activity', () => {
  it('takes nothing back for an event that comes again after later ones', async () => {
    const { documents, row } = rowKept();
    const events = [renamed('a'), archived, renamed('b'), revived];
    for (const [i, event] of events.entries()) await flowActivityView.take(documents, [{ event, meta: meta(i + 1) }]);
    const after = row();
    expect(after).toMatchObject({ name: 'b', archived: false, latestActivityAt: 4000 });
    for (const [i, event] of events.entries()) {
      await flowActivityView.take(documents, [{ event, meta: meta(i + 1) }]);
      expect(row()).toEqual(after);
    }
  });

  it('has the tags of the flow, whatever comes again', async () => {
    const { documents, row } = rowKept();
    const tagged = (set: object, removed: readonly string[]) => ({
      event: { type: 'FlowTagged', version: 1, data: { set, removed } },
      meta: meta(removed.length + 1),
    });
    const [first, second] = [tagged({ team: 'shop', tier: '1' }, []), tagged({ team: 'tea' }, ['tier'])];
    for (const event of [first, second, second, first]) await flowActivityView.take(documents, [event]);
    expect(row()?.tags).toEqual({ team: 'tea' });
  });

  it('takes all events of a batch as if one by one', async () => {
    const [firstRow, secondRow] = [rowKept(), rowKept()];
    const recorded = [renamed('a'), archived, renamed('b')].map((event, i) => ({ event, meta: meta(i + 1) }));
    for (const each of recorded) await flowActivityView.take(firstRow.documents, [each]);
    await flowActivityView.take(secondRow.documents, recorded);
    expect(secondRow.row()).toEqual(firstRow.row());
    expect(secondRow.row()).toMatchObject({ name: 'b', archived: true });
  });

  it('takes all events of one commit', async () => {
    const { documents, row } = rowKept();
    for (const event of [renamed('a'), archived]) await flowActivityView.take(documents, [{ event, meta: meta(1) }]);
    expect(row()).toMatchObject({ name: 'a', archived: true });
  });

  it('has the trail of the latest event, for any order of trails', async () => {
    const begun = (trail: string, at: number) => ({
      event: { type: 'TrailBegun', version: 1, data: {} },
      meta: { ...meta(1), stream: `trail/f/${trail}`, at },
    });
    const recorded = [begun('b', 5), begun('a', 9), begun('c', 9), begun('d', 1)];
    for (const order of [recorded, recorded.toReversed(), [...recorded, ...recorded]]) {
      const { documents, row } = rowKept();
      for (const event of order) await flowActivityView.take(documents, [event]);
      expect(row()?.latestTrail).toEqual({ stream: 'trail/f/c', at: 9 });
    }
  });
});
