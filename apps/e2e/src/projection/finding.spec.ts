import { type Flow, flowStates } from '@assurance/contracts/flows/documents';
import { Matcher } from '@assurance/flows/lookups/matcher';
import { matchingFlows } from '@assurance/flows/read/matches';
import { TagSearch, tagsView } from '@assurance/flows/read/tags';
import { trailWords } from '@assurance/flows/read/trails/rows';
import { itemsWith, wordRows, wordsOfCommit, wordsOfName } from '@assurance/flows/read/words';
import { putRows } from '@assurance/event-sourcing/projection/batches';
import type { AggregateState } from '@assurance/contracts/events/aggregate';
import type { Views } from '@assurance/event-sourcing/projection/views';
import type { Ports } from '@assurance/event-sourcing/tokens';
import type { Caller } from '@assurance/http/query-caller';
import { temporaryEngines } from '../support/temporary-engines';

const MANY = 2_000;
/** More are archived than are listed. */
const isArchived = (i: number) => i > 1_900 && i < 1_950;
const tagsOf = (i: number): Record<string, string> => (isArchived(i) || i >= 1_997 ? { team: 'night shift' } : {});
const nameOf = (i: number) => `flow-${String(i).padStart(4, '0')}`;

describe('looking for a name among more flows than are looked through', () => {
  const engines = temporaryEngines();

  beforeAll(async () => {
    const flows = engines().documents.collection(flowStates);
    const flow = (i: number) =>
      ({
        id: `f${i}`,
        org: 'o1',
        name: nameOf(i),
        description: '',
        tags: tagsOf(i),
        archived: isArchived(i),
        seq: 1,
      }) as unknown;
    for (let from = 0; from < MANY; from += 500) {
      await flows.write(
        Array.from({ length: 500 }, (_, i) => ({
          ...({ kind: 'put', id: `flow/f${from + i}` } as const),
          doc: flow(from + i) as AggregateState<Flow>,
        })),
      );
    }
    const tagged = Array.from({ length: MANY }, (_, i) => ({
      event: { type: 'FlowTagged', version: 1, data: { set: tagsOf(i), removed: [] } },
      meta: { org: i === 1_997 ? 'o2' : 'o1', stream: `flow/f${i}`, seq: 2, at: 1, actor: 'x' },
    }));
    await tagsView.take(engines().documents, tagged);
  });

  const find = async (text: string, limit = 20) => {
    const ports = engines() as Pick<Ports, 'documents'> as Ports;
    const read: Views['read'] = async (_view, _caller, query) => ({ behind: 0, value: await query(ports.documents) });
    const matcher = new Matcher(text, limit);
    const tagged = new TagSearch({ read } as Views, { org: { id: 'o1' } } as Caller, matcher);
    const { results, complete } = await matchingFlows(ports, 'o1', matcher, tagged);
    return { names: results.map(({ name }) => name), complete };
  };

  it('finds the item with a whole name and items that begin with a text, at every position', async () => {
    expect(await find('flow-1999')).toEqual({ names: ['flow-1999'], complete: false });
    expect((await find('flow-195')).names).toEqual(Array.from({ length: 10 }, (_, i) => `flow-195${i}`));
  });

  it('finds it in any letter case that the name has in lower case', async () =>
    expect((await find('FLOW-1999')).names).toEqual(['flow-1999']));

  it('lists what begins with the text once, before what contains it, as many as are wanted', async () => {
    expect(await find('flow-0', 3)).toEqual({ names: ['flow-0000', 'flow-0001', 'flow-0002'], complete: true });
    expect((await find('0999')).names).toEqual(['flow-0999']);
  });

  it('finds those that have a tag with a word that begins with the text, also behind many that are archived', async () => {
    expect(await find('Team: night')).toEqual({ names: ['flow-1998', 'flow-1999'], complete: false });
    expect((await find('shift')).names).toEqual(['flow-1998', 'flow-1999']);
    expect(await find('hift')).toEqual({ names: [], complete: false });
    expect((await find('team', 1)).names).toEqual(['flow-1998']);
  });

  it('says that parts of names were not looked for in all', async () =>
    expect(await find('1999')).toEqual({ names: [], complete: false }));
});

describe('looking for items by the beginning of their words', () => {
  const engines = temporaryEngines();
  const names = ['ghcr.io/shop/web-api:1.12.0', 'Web', 'worker-web', '--', '#1', ''];
  const commit = {
    message: 'feat(cart): keep the items of a guest for thirty days after the last visit (#4711)\n\nsecond line',
    author: 'Ada Lovelace <ada.l@example.com>',
  };

  beforeAll(() => {
    const rows = names.flatMap((name) => [...wordRows('o1', name, wordsOfName(name))]);
    const committed = wordRows('o1', 'committed', [...wordsOfName('plain:1'), ...wordsOfCommit(commit)]);
    return putRows(engines().documents.collection(trailWords), new Map([...rows, ...committed]));
  });

  const find = (text: string, limit = 20) => itemsWith(engines().documents, trailWords, 'o1', text, limit);

  it.each([
    ['web', ['Web', 'ghcr.io/shop/web-api:1.12.0', 'worker-web']],
    ['SHOP/web-a', ['ghcr.io/shop/web-api:1.12.0']],
    [':1.12', ['ghcr.io/shop/web-api:1.12.0']],
    ['12.0', []],
    ['eb', []],
    ['-', []],
    ['#1', ['#1', 'committed', 'ghcr.io/shop/web-api:1.12.0']],
    ['Thirty days', ['committed']],
    ['(#4711', ['committed']],
    ['lovel', ['committed']],
    ['<ada.l@ex', ['committed']],
    ['second', []],
  ])('%s: finds %j', async (text, expected) => expect([...(await find(text))].sort()).toEqual([...expected].sort()));

  it('finds so many by each word, and nothing of another organization', async () => {
    expect(await find('w', 1)).toHaveLength(3);
    expect(await itemsWith(engines().documents, trailWords, 'o2', 'web', 20)).toEqual([]);
  });
});
