import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { byteLength, canonicalJson, sha256 } from '@assurance/kernel';
import type { EventStore, StoredEvent } from '@assurance/storage-ports';
import { appendAll, makeCommit, makeEvent, nextCommit, unique } from '../harness';

export function drops(events: () => EventStore): void {
  /** A commit with two events that carry their data, and two whose data of two chunks lies outside. */
  const appendWithDigests = async () => {
    const org = unique('org');
    const outside = await Promise.all([outsideEvent(events(), org), outsideEvent(events(), org)]);
    const commit = makeCommit({ org, events: [makeEvent(), outside[0], makeEvent(), outside[1]] });
    await appendAll(events(), [commit]);
    return { commit, digests: commit.events.map(({ digest }) => digest) };
  };

  it('removes data inside and outside a commit, and keeps all else and its hash', async () => {
    const { commit, digests } = await appendWithDigests();
    await events().newest(commit.stream);
    const dropped = digests.slice(0, 2);
    await events().dropData(commit.stream, commit.seq, dropped);
    const keptEvents = commit.events.map(({ data, ...rest }) =>
      data === undefined || dropped.includes(rest.digest) ? rest : { ...rest, data },
    );
    const left = { ...commit, events: keptEvents };
    expect(await events().newest(commit.stream)).toEqual(left);
    expect(await events().read(commit.stream, 1, 1)).toEqual([left]);
    expect(commitHash(left)).toBe(commitHash(commit));
    const outside = digests.map((digest) => events().readData(commit.org, digest));
    expect((await Promise.all(outside)).map((text) => text !== null)).toEqual([false, false, false, true]);
  });

  it('lets the stream go on, and takes the commit that was appended for the same', async () => {
    const { commit, digests } = await appendWithDigests();
    await events().dropData(commit.stream, commit.seq, digests);
    expect(await events().append(commit)).toBe('appended');
    await appendAll(events(), [nextCommit(commit)]);
    expect((await events().read(commit.stream, 1, 1))[0]?.events.some(({ data }) => data !== undefined)).toBe(false);
  });

  it('does nothing again, for digests of others, and where there is no such commit', async () => {
    const [a, b] = [await appendWithDigests(), await appendWithDigests()];
    for (let i = 0; i < 2; i += 1) await events().dropData(a.commit.stream, 1, a.digests);
    await events().dropData(a.commit.stream, 1, b.digests);
    await events().dropData(a.commit.stream, 2, b.digests);
    await events().dropData(unique('nothing'), 1, b.digests);
    expect(await events().read(b.commit.stream, 1, 1)).toEqual([b.commit]);
    for (const digest of [b.digests[1]!, b.digests[3]!])
      expect(await events().readData(b.commit.org, digest)).not.toBeNull();
  });

  it('removes what two remove at once, and data can be put again', async () => {
    const { commit, digests } = await appendWithDigests();
    await Promise.all(digests.map((digest) => events().dropData(commit.stream, 1, [digest])));
    const [remaining] = await events().read(commit.stream, 1, 1);
    expect(remaining?.events.filter(({ data }) => data !== undefined)).toEqual([]);
    const text = canonicalJson({ again: 'x'.repeat(300_000) });
    for (let i = 0; i < 2; i += 1) {
      const digest = await events().putData(commit.org, text);
      const event = { type: 'SomethingHappened', version: 1, digest, size: byteLength(text) };
      const next = makeCommit({ org: commit.org, events: [event] });
      await appendAll(events(), [next]);
      expect(await events().readData(commit.org, digest)).toBe(text);
      await events().dropData(next.stream, 1, [digest]);
      expect(await events().readData(commit.org, digest)).toBeNull();
    }
  });
}

async function outsideEvent(events: EventStore, org: string): Promise<StoredEvent> {
  const text = canonicalJson({ about: unique('about'), text: 'y'.repeat(400_000) });
  await events.putData(org, text);
  return { type: 'SomethingHappened', version: 1, digest: sha256(text), size: byteLength(text) };
}
