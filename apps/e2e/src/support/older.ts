import type { Commit, Engines } from '@assurance/storage-ports';

/** How an older instance of the service sees an event of a newer one: its type, or its version, is none that it knows. */
export type Unknown = 'type' | 'version';

/** Commits, by `stream#seq`, whose last event a newer version of the service wrote. */
export type Newer = ReadonlyMap<string, Unknown>;

/** The engines as an older instance of the service sees them; what it writes goes to the engines as it is. */
export function asSeenByOlderVersion(engines: Engines, newer: () => Newer): Engines {
  const seen = <C extends Commit | null>(commit: C): C => {
    const unknown = commit === null ? undefined : newer().get(`${commit.stream}#${commit.seq}`);
    const last = commit?.events.at(-1);
    if (commit === null || unknown === undefined || last === undefined) return commit;
    const later =
      unknown === 'type' ? { ...last, type: `${last.type}OfLater` } : { ...last, version: last.version + 1 };
    return { ...commit, events: [...commit.events.slice(0, -1), later] };
  };
  const all = (commits: readonly Commit[]) => commits.map(seen);
  const { events, feed } = engines;
  return {
    documents: engines.documents,
    blobs: engines.blobs,
    problems: () => engines.problems(),
    close: () => engines.close(),
    events: {
      append: (commit) => events.append(commit),
      newest: async (stream) => seen(await events.newest(stream)),
      read: async (stream, from, limit) => all(await events.read(stream, from, limit)),
      bySnapshot: async (stream, snapshot) => seen(await events.bySnapshot(stream, snapshot)),
      asOf: async (stream, at) => seen(await events.asOf(stream, at)),
      recentOf: (actor, since, kinds) => events.recentOf(actor, since, kinds),
      scan: async (after, limit) => {
        const page = await events.scan(after, limit);
        return { ...page, commits: all(page.commits) };
      },
      putData: (org, text) => events.putData(org, text),
      readData: (org, digest) => events.readData(org, digest),
      dropData: (stream, seq, digests) => events.dropData(stream, seq, digests),
      removeStream: (stream) => events.removeStream(stream),
      removeData: (org, digest, size) => events.removeData(org, digest, size),
    },
    feed: { consume: (group, handle, options) => feed.consume(group, (batch) => handle(all(batch)), options) },
  };
}
