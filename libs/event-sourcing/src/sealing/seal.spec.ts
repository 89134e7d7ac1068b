import { UnknownEvent } from '@assurance/contracts/events/codec';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { byteLength, canonicalJson, sha256 } from '@assurance/kernel';
import { type Commit, COMMIT_BYTES_MAX } from '@assurance/storage-ports';
import fc from 'fast-check';
import { BrokenRecord, eventsOf, metaOf } from './read';
import { type CommitDraft, commitHash, DATA_INSIDE_MAX, seal } from './seal';

/** Stores data that lies outside commits. Sealing and reading need nothing else of an event store. */
function outside() {
  const texts = new Map<string, string>();
  return {
    texts,
    putData: (org: string, text: string) => {
      texts.set(`${org}/${sha256(text)}`, text);
      return Promise.resolve(sha256(text));
    },
    readData: (org: string, digest: string) => Promise.resolve(texts.get(`${org}/${digest}`) ?? null),
  };
}

const draft: CommitDraft = {
  id: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  org: 'acme',
  stream: 'environment/prod',
  at: 1_700_000_000_000,
  actor: 'ada',
  correlation: 'r1',
};
const event = (data: unknown, type = 'EnvironmentUpdated') => ({ type, version: 1, data });
/** An event with this many bytes of JSON data. */
const sized = (bytes: number, letter = 'x') => event(letter.repeat(bytes - 2));

describe('sealing', () => {
  it('numbers commits from 1 and chains each to the one before', async () => {
    const first = await seal(outside(), draft, null, [event({ n: 1 })]);
    expect(first).toMatchObject({ ...draft, seq: 1, prev: null });
    const second = await seal(outside(), { ...draft, id: 'other' }, first, [event({ n: 2 })]);
    expect(second).toMatchObject({ id: 'other', seq: 2, prev: commitHash(first) });
  });

  it('keeps the index when there is one, and no empty field when there is none', async () => {
    const index = { snapshot: 1, full: 0, runs: 'r', runsCounted: 'c' };
    expect((await seal(outside(), { ...draft, index }, null, [event(1)])).index).toEqual(index);
    expect(await seal(outside(), draft, null, [event(1)])).not.toHaveProperty('index');
  });

  it('keeps data as canonical text under its digest', async () => {
    const { events } = await seal(outside(), draft, null, [event({ b: 1, a: '€' })]);
    const data = '{"a":"€","b":1}';
    expect(events).toEqual([{ type: 'EnvironmentUpdated', version: 1, digest: sha256(data), size: 17, data }]);
  });

  it('puts data above 64 KiB outside, and not a byte before', async () => {
    const store = outside();
    const { events } = await seal(store, draft, null, [sized(DATA_INSIDE_MAX), sized(DATA_INSIDE_MAX + 1)]);
    expect(events.map(({ size, data }) => [size, data === undefined])).toEqual([
      [65_536, false],
      [65_537, true],
    ]);
    const text = canonicalJson('x'.repeat(DATA_INSIDE_MAX - 1));
    expect([...store.texts]).toEqual([[`acme/${sha256(text)}`, text]]);
  });

  it('measures bytes, not characters', async () => {
    const { events } = await seal(outside(), draft, null, [event('€'.repeat(30_000))]);
    expect(events[0]).not.toHaveProperty('data');
  });

  it('puts outside what would make the commit too large together, quotes and escapes included', async () => {
    const hard = ['"', '\\', '\u0001', 'x', '€', '😀'];
    const data = fc
      .tuple(fc.constantFrom(...hard), fc.integer({ min: 1, max: 33_000 }))
      .map(([text, times]) => text.repeat(times));
    await fc.assert(
      fc.asyncProperty(fc.array(data, { minLength: 1, maxLength: 12 }), async (texts) => {
        const store = outside();
        const commit = await seal(
          store,
          draft,
          null,
          texts.map((text) => event([text])),
        );
        expect(byteLength(JSON.stringify(commit))).toBeLessThanOrEqual(COMMIT_BYTES_MAX);
        expect((await eventsOf(store, commit)).map((read) => read.data)).toEqual(texts.map((text) => [text]));
      }),
      { numRuns: 60 },
    );
  });

  it('keeps small data inside', async () => {
    const store = outside();
    const commit = await seal(store, draft, null, [sized(1000, 'a'), sized(1000, 'b')]);
    expect(commit.events.every(({ data }) => data !== undefined)).toBe(true);
    expect(store.texts.size).toBe(0);
  });
});

describe('the hash of a commit', () => {
  const sealed = () => seal(outside(), draft, null, [event({ n: 1 }), event({ n: 2 })]);

  it('stays when data is dropped', async () => {
    const commit = await sealed();
    const dropped: Commit = { ...commit, events: commit.events.map(({ data: _, ...rest }) => rest) };
    expect(dropped.events[0]).not.toHaveProperty('data');
    expect(commitHash(dropped)).toBe(commitHash(commit));
  });

  it('does not depend on the order of fields', async () => {
    const commit = await sealed();
    expect(commitHash(Object.fromEntries(Object.entries(commit).reverse()) as unknown as Commit)).toBe(
      commitHash(commit),
    );
  });

  it.each<[string, (commit: Commit) => Partial<Commit>]>([
    ['id', () => ({ id: 'x' })],
    ['organization', () => ({ org: 'x' })],
    ['stream', () => ({ stream: 'x' })],
    ['seq', () => ({ seq: 2 })],
    ['time', () => ({ at: 1 })],
    ['actor', () => ({ actor: 'x' })],
    ['correlation', () => ({ correlation: 'x' })],
    ['prev', () => ({ prev: 'x' })],
    ['index', () => ({ index: { snapshot: 1, full: 0, runs: 'r', runsCounted: 'c' } })],
    ['order of events', ({ events }) => ({ events: [...events].reverse() })],
    ['digest of an event', ({ events }) => ({ events: events.map((stored) => ({ ...stored, digest: sha256('x') })) })],
    ['type of an event', ({ events }) => ({ events: events.map((stored) => ({ ...stored, type: 'x' })) })],
    ['version of an event', ({ events }) => ({ events: events.map((stored) => ({ ...stored, version: 2 })) })],
    ['size of an event', ({ events }) => ({ events: events.map((stored) => ({ ...stored, size: 1 })) })],
  ])('is another one for another %s', async (_what, other) => {
    const commit = await sealed();
    expect(commitHash({ ...commit, ...other(commit) })).not.toBe(commitHash(commit));
  });

  it('is SHA-256 of the canonical JSON without data', async () => {
    const commit = await seal(outside(), draft, null, [event(1)]);
    expect(commitHash(commit)).toBe(
      sha256(
        `{"actor":"ada","at":1700000000000,"correlation":"r1","events":[{"digest":"${sha256('1')}","size":1,"type":"EnvironmentUpdated","version":1}],` +
          `"id":"${draft.id}","org":"acme","prev":null,"seq":1,"stream":"environment/prod"}`,
      ),
    );
  });
});

describe('reading a commit', () => {
  const large = sized(DATA_INSIDE_MAX + 1);

  it('gives its events back, wherever their data lies', async () => {
    const store = outside();
    const events = [event({ n: 1 }), large];
    const commit = await seal(store, draft, null, events);
    expect(await eventsOf(store, commit)).toEqual(events);
    expect(metaOf(commit)).toEqual({ org: 'acme', stream: 'environment/prod', seq: 1, at: draft.at, actor: 'ada' });
  });

  it('passes over unwanted types without fetching their data', async () => {
    const small = event(1, 'EnvironmentRenamed');
    const commit = await seal(outside(), draft, null, [small, large]);
    expect(await eventsOf(outside(), commit, (type) => type === small.type)).toEqual([small]);
  });

  it.each([
    ['of a type', { type: 'EnvironmentPainted', version: 1 }],
    ['in a version', { type: 'EnvironmentUpdated', version: 2 }],
  ])('with an event %s that is not known gives none, wanted or not, wherever it stands', async (_what, unknown) => {
    for (const at of [0, 1, 2]) {
      const events: DomainEvent[] = [event(1), event(2)];
      events.splice(at, 0, { ...unknown, data: {} });
      const commit = await seal(outside(), draft, null, events);
      await expect(eventsOf(outside(), commit)).rejects.toThrow(UnknownEvent);
      await expect(eventsOf(outside(), commit, () => false)).rejects.toThrow(UnknownEvent);
    }
  });

  it('gives events of an older version in the newest', async () => {
    const verdictsEvent = { type: 'VerdictsKept', version: 1, data: { artifacts: [] } };
    const store = outside();
    expect(await eventsOf(store, await seal(store, draft, null, [verdictsEvent]))).toEqual([
      { ...verdictsEvent, version: 2 },
    ]);
  });

  it('reports that data is gone', async () => {
    const commit = await seal(outside(), draft, null, [large]);
    await expect(eventsOf(outside(), commit)).rejects.toThrow(BrokenRecord);
  });
});
