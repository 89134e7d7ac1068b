import { byteLength, Semaphore } from '@assurance/kernel';
import { APPENDS_AT_ONCE_MAX, COMMIT_BYTES_MAX, type EventStore, StoreBusy } from '@assurance/storage-ports';
import { interleave, shuffle } from './shuffle';
import type { Loose } from './steps';

/**
 * Every append of a place conflicts once before it goes through, unless the place already holds this very commit. Pages of a scan are smaller than
 * asked for, their streams in another order.
 */
export function looseEvents(events: EventStore, { random, step }: Loose): EventStore {
  const tried = new Set<string>();
  const read = async <T>(answer: () => Promise<T>): Promise<T> => {
    await step('events.read');
    return answer();
  };
  const appending = new Semaphore(APPENDS_AT_ONCE_MAX);
  const append: EventStore['append'] = async (commit) => {
    await step('events.append');
    const place = `${commit.seq} ${commit.stream}`;
    const fits = byteLength(JSON.stringify(commit)) <= COMMIT_BYTES_MAX;
    if (fits && !tried.has(place)) {
      tried.add(place);
      const [there] = await events.read(commit.stream, commit.seq, 1);
      if (there?.seq !== commit.seq || there.id !== commit.id) return 'conflict';
    }
    const outcome = await events.append(commit);
    await step('events.appended');
    return outcome;
  };
  return {
    async append(commit) {
      if (!appending.acquire(1)) throw new StoreBusy();
      try {
        return await append(commit);
      } finally {
        appending.release(1);
      }
    },
    newest: (stream) => read(() => events.newest(stream)),
    read: (stream, from, limit) => read(() => events.read(stream, from, limit)),
    bySnapshot: (stream, snapshot) => read(() => events.bySnapshot(stream, snapshot)),
    asOf: (stream, at) => read(() => events.asOf(stream, at)),
    recentOf: (actor, since, kinds) => read(async () => shuffle(await events.recentOf(actor, since, kinds), random)),
    scan: (after, limit) =>
      read(async () => {
        const page = await events.scan(after, 1 + Math.floor(random() * limit));
        return { ...page, commits: interleave(page.commits, random) };
      }),
    async putData(org, text) {
      await step('events.put-data');
      return events.putData(org, text);
    },
    readData: (org, digest) => read(() => events.readData(org, digest)),
    async dropData(stream, seq, digests) {
      await step('events.drop-data');
      await events.dropData(stream, seq, digests);
    },
    async removeStream(stream) {
      await step('events.remove-stream');
      await events.removeStream(stream);
    },
    async removeData(org, digest, size) {
      await step('events.remove-data');
      await events.removeData(org, digest, size);
    },
  };
}
