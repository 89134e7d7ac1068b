import type { Commit, EventStore } from '@assurance/storage-ports';
import { appendAll, lookAlikes, makeCommit, makeStream, nextCommit, unique } from '../harness';

export function lookUps(events: () => EventStore): void {
  it('finds nothing where nothing was committed', async () => {
    const stream = `environment/${unique('none')}`;
    expect(await events().newest(stream)).toBeNull();
    expect(await events().read(stream, 1, 10)).toEqual([]);
    expect(await events().bySnapshot(stream, 1)).toBeNull();
    expect(await events().asOf(stream, Number.MAX_SAFE_INTEGER)).toBeNull();
    expect(await events().recentOf(unique('nobody'), 0, new Set(['environment']))).toEqual([]);
  });

  it('reads a stream from any seq on, ascending, at most so many', async () => {
    const commits = makeStream(Array.from({ length: 12 }, () => ({})));
    await appendAll(events(), commits);
    const stream = commits[0]!.stream;
    expect(await events().read(stream, 1, 1_000)).toEqual(commits);
    expect(await events().read(stream, 0, 3)).toEqual(commits.slice(0, 3));
    expect(await events().read(stream, 9, 3)).toEqual(commits.slice(8, 11));
    expect(await events().read(stream, 12, 3)).toEqual(commits.slice(11));
    expect(await events().read(stream, 13, 3)).toEqual([]);
    expect(await events().newest(stream)).toEqual(commits[11]);
  });

  it('finds the commit that made a snapshot, not one that kept it', async () => {
    const created = [null, 0, 1, 1, null, null, 2, null, 2, null, 3].map((snapshot) =>
      snapshot === null ? {} : { index: indexOf(snapshot) },
    );
    const commits = makeStream(created);
    const other = makeStream([{ index: indexOf(1) }, { index: indexOf(4) }]);
    await appendAll(events(), [...commits, ...other]);
    const stream = commits[0]!.stream;
    expect(await events().bySnapshot(stream, 1)).toEqual(commits[2]);
    expect(await events().bySnapshot(stream, 2)).toEqual(commits[6]);
    expect(await events().bySnapshot(stream, 3)).toEqual(commits[10]);
    expect(await events().bySnapshot(stream, 4)).toBeNull();
    expect(await events().bySnapshot(other[0]!.stream, 1)).toEqual(other[0]);
  });

  it('finds the newest commit at or before a time, by time and then by seq', async () => {
    const commits = makeStream([{ at: 1_000 }, { at: 2_000 }, { at: 2_000 }, { at: 3_000 }, { at: 3_000 }]);
    await appendAll(events(), [...commits, makeCommit({ at: 1_500 })]);
    const seqAt = async (at: number) => (await events().asOf(commits[0]!.stream, at))?.seq ?? null;
    expect(await seqAt(999)).toBeNull();
    expect(await seqAt(1_000)).toBe(1);
    expect(await seqAt(1_999)).toBe(1);
    expect(await seqAt(2_000)).toBe(3);
    expect(await seqAt(2_999)).toBe(3);
    expect(await seqAt(3_000)).toBe(5);
    expect(await seqAt(1_700_000_000_000)).toBe(5);
  });

  it('tells the newest seq of each stream in which an actor committed since a time', async () => {
    const [me, other] = [unique('me'), unique('other')];
    const busy = makeStream([{ at: 1_000 }, { at: 2_000 }, { at: 3_000, actor: other }], { actor: me });
    const calm = makeStream([{ at: 2_000 }, { at: 2_000 }], { actor: me });
    const old = makeStream([{ at: 1_999 }], { actor: me });
    await appendAll(events(), [...busy, ...calm, ...old]);
    expect(await recent(events(), me, 2_000)).toEqual(positions([busy[1]!, calm[1]!]));
    expect(await recent(events(), me, 1_000)).toEqual(positions([busy[1]!, calm[1]!, old[0]!]));
    expect(await recent(events(), other, 0)).toEqual(positions([busy[2]!]));
    expect(await recent(events(), me, 2_001)).toEqual([]);
    const next = nextCommit(busy[2]!, { actor: me, at: 4_000 });
    await appendAll(events(), [next]);
    expect(await recent(events(), me, 2_000)).toEqual(positions([next, calm[1]!]));
  });

  it('returns only those of the requested kinds', async () => {
    const me = unique('me');
    const [environment, trail, other] = ['environment', 'trail', 'environments'].map((kind) =>
      makeCommit({ actor: me, stream: `${kind}/${unique('x')}` }),
    );
    await appendAll(events(), [environment!, trail!, other!]);
    expect(await recent(events(), me, 0)).toEqual(positions([environment!]));
    const ofBothKinds = await events().recentOf(me, 0, new Set(['environment', 'trail']));
    expect(positions(ofBothKinds)).toEqual(positions([environment!, trail!]));
  });

  it('takes actors byte for byte', async () => {
    const commits = lookAlikes(unique('actor')).map((actor) => makeCommit({ actor }));
    await appendAll(events(), commits);
    for (const commit of commits) expect(await recent(events(), commit.actor, 0)).toEqual(positions([commit]));
  });
}

function indexOf(snapshot: number) {
  return { snapshot, full: 0, runs: 'a'.repeat(64), runsCounted: 'b'.repeat(64) };
}

/** Positions as text in one order: the port promises none. */
function positions(of: readonly { stream: string; seq: number }[]): string[] {
  return of.map(({ stream, seq }: Pick<Commit, 'stream' | 'seq'>) => `${stream}#${seq}`).sort();
}

async function recent(events: EventStore, actor: string, since: number): Promise<string[]> {
  return positions(await events.recentOf(actor, since, new Set(['environment'])));
}
