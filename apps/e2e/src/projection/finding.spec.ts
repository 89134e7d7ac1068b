import { type Flow, flowStates } from '@assurance/contracts/flows/documents';
import { Matcher } from '@assurance/flows/lookups/matcher';
import { matchingFlows } from '@assurance/flows/read/matches';
import { trailsNamed } from '@assurance/flows/read/trails/named';
import { trailRows } from '@assurance/flows/read/trails/rows';
import type { AggregateState } from '@assurance/contracts/events/aggregate';
import type { Ports } from '@assurance/event-sourcing/tokens';
import { temporaryEngines } from '../support/temporary-engines';

const MANY = 2_000;
const nameOf = (i: number) => `flow-${String(i).padStart(4, '0')}`;

describe('looking for a name among more flows than are looked through', () => {
  const engines = temporaryEngines();

  beforeAll(async () => {
    const flows = engines().documents.collection(flowStates);
    const flow = (i: number) =>
      ({ id: `f${i}`, org: 'o1', name: nameOf(i), description: '', tags: {}, archived: false, seq: 1 }) as unknown;
    for (let from = 0; from < MANY; from += 500) {
      await flows.write(
        Array.from({ length: 500 }, (_, i) => ({
          ...({ kind: 'put', id: `flow/f${from + i}` } as const),
          doc: flow(from + i) as AggregateState<Flow>,
        })),
      );
    }
  });

  const find = async (text: string, limit = 20) => {
    const ports = engines() as Pick<Ports, 'documents'> as Ports;
    const { results, complete } = await matchingFlows(ports, 'o1', new Matcher(text, limit));
    return { names: results.map(({ name }) => name), complete };
  };

  it('finds the one of a whole name, and those that begin with a text, wherever they are', async () => {
    expect(await find('flow-1999')).toEqual({ names: ['flow-1999'], complete: false });
    expect((await find('flow-195')).names).toEqual(Array.from({ length: 10 }, (_, i) => `flow-195${i}`));
  });

  it('finds it in any letter case that the name has in lower case', async () =>
    expect((await find('FLOW-1999')).names).toEqual(['flow-1999']));

  it('lists what begins with the text once, before what contains it, as many as are wanted', async () => {
    expect(await find('flow-0', 3)).toEqual({ names: ['flow-0000', 'flow-0001', 'flow-0002'], complete: true });
    expect((await find('0999')).names).toEqual(['flow-0999']);
  });

  it('finds the trails of a whole name in all flows, newest first', async () => {
    const { documents } = engines();
    const rows = [
      ['f3', 1],
      ['f1999', 2],
    ] as const;
    await documents.collection(trailRows).write(
      rows.map(([flow, createdAt]) => ({
        ...({ kind: 'put', id: `trail/${flow}/build-1` } as const),
        doc: { org: 'o1', flow, name: 'build-1', createdAt },
      })),
    );
    const named = await trailsNamed(documents, documents, 'o1', 'build-1');
    expect(named.map(({ flow }) => flow)).toEqual(['f1999', 'f3']);
    expect(await trailsNamed(documents, documents, 'o1', 'build')).toEqual([]);
    expect(await trailsNamed(documents, documents, 'o2', 'build-1')).toEqual([]);
  });

  it('says that parts of names were not looked for in all', async () =>
    expect(await find('1999')).toEqual({ names: [], complete: false }));
});
