import fc from 'fast-check';
import { codePoint } from '../../code-point';
import { appendAll, appendUntilSettled, lookAlikes, makeCommit, makeEvent, nextCommit, unique } from '../harness';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { byteLength, canonicalJson } from '@assurance/kernel';
import {
  APPENDS_AT_ONCE_MAX,
  type Commit,
  COMMIT_BYTES_MAX,
  CommitTooLarge,
  type EventStore,
  StoreBusy,
} from '@assurance/storage-ports';

export function bounds(events: () => EventStore): void {
  it('keeps data byte for byte, and with it the hash', async () => {
    const value = fc.oneof(
      // Texts that a store would change if it normalised, trimmed or escaped.
      fc.constantFrom('e\u0301', '\u212b', '\ufb01', 'a\u0000b', '\u2028', ' x ', '\r\n', '\ufeffx', '\\u0041', ''),
      fc.string({ unit: codePoint, maxLength: 40 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.jsonValue(),
    );
    const text = fc.array(value.filter(hasOneText), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(text, async (values) => {
        const commit = makeCommit({ events: values.map((candidate) => makeEvent(candidate)) });
        await appendAll(events(), [commit]);
        const [read] = await events().read(commit.stream, 1, 1);
        expect(read).toEqual(commit);
        expect(commitHash(read!)).toBe(commitHash(commit));
      }),
      { numRuns: 100 },
    );
  });

  it('keeps a commit with its index, and with events whose data lies outside', async () => {
    const { data: _, ...outside } = makeEvent();
    const digests = { runs: 'a'.repeat(64), runsCounted: 'b'.repeat(64) };
    const index = { snapshot: 3, full: 1, ...digests, identity: 'fingerprint', observedAt: 1_700_000_000_000 } as const;
    const commit = makeCommit({ index, events: [outside, makeEvent({ 'a.b': { $set: [null, 1e21, -1.5, ''] } })] });
    await appendAll(events(), [commit]);
    const [read] = await events().read(commit.stream, 1, 1);
    expect(read).toEqual(commit);
    expect(Object.keys(read!.events[0]!)).not.toContain('data');
  });

  it('takes stream ids byte for byte', async () => {
    const commits = lookAlikes(`name/${unique('org')}/flow`).map((stream) => makeCommit({ stream }));
    for (const commit of commits) expect(await appendUntilSettled(events(), commit)).toBe('appended');
    for (const commit of commits) {
      expect(await events().newest(commit.stream)).toEqual(commit);
      expect(await events().read(commit.stream, 1, 10)).toEqual([commit]);
      expect(await events().asOf(commit.stream, commit.at)).toEqual(commit);
    }
  });

  it(`takes a commit of ${COMMIT_BYTES_MAX} bytes, and refuses one byte more`, async () => {
    const commit = ofBytes(COMMIT_BYTES_MAX);
    await appendAll(events(), [commit]);
    expect(await events().read(commit.stream, 1, 1)).toEqual([commit]);
    const larger = ofBytes(COMMIT_BYTES_MAX + 1, nextCommit(commit));
    await expect(appendUntilSettled(events(), larger)).rejects.toBeInstanceOf(CommitTooLarge);
    expect(await events().newest(commit.stream)).toEqual(commit);
  });

  it(`turns away what is more than ${APPENDS_AT_ONCE_MAX} appends at once, and takes it when there is room again`, async () => {
    const commits = Array.from({ length: APPENDS_AT_ONCE_MAX + 500 }, () => makeCommit());
    const endings = await Promise.allSettled(commits.map((commit) => events().append(commit)));
    const faults = endings.flatMap((ending) => (ending.status === 'rejected' ? [ending.reason as unknown] : []));
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.filter((fault) => !(fault instanceof StoreBusy))).toEqual([]);
    for (const [i, ending] of endings.entries()) {
      const there = await events().newest(commits[i]!.stream);
      if (ending.status === 'rejected') expect(there).toBeNull();
      else if (ending.value === 'appended') expect(there).toEqual(commits[i]);
    }
    const turnedAway = commits.filter((_, i) => endings[i]?.status === 'rejected');
    await appendAll(events(), turnedAway.slice(0, 10));
  }, 60_000);
}

/** JSON has no -0: its text is that of 0. */
function hasOneText(value: unknown): boolean {
  try {
    return canonicalJson(JSON.parse(canonicalJson(value))) === canonicalJson(value);
  } catch {
    return false;
  }
}

/** A commit of exactly so many bytes of JSON, most of them in characters of three bytes, so that counting characters is not enough. */
function ofBytes(bytes: number, base: Commit = makeCommit()): Commit {
  const bare: Commit = { ...base, events: [{ ...makeEvent(), data: '' }] };
  const room = bytes - byteLength(JSON.stringify(bare));
  const data = '\u20ac'.repeat(Math.floor(room / 3)) + 'x'.repeat(room % 3);
  return { ...bare, events: [{ ...bare.events[0]!, data }] };
}
