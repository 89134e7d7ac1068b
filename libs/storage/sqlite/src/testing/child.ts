import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import type { CollectionDefinition, Commit, EventStore } from '@assurance/storage-ports';
import { openOn } from './open-temporary';

/** The consumer group of `follow`, and the collections that it writes. */
export const FOLLOWERS = 'followers';
export const effectsOf: CollectionDefinition<{ readonly seq: number }> = {
  name: 'taken',
  deferred: 'first',
  indexes: [],
};
export const checkpointsOf: CollectionDefinition<{ readonly seq: number }> = {
  name: 'marks',
  deferred: 'last',
  indexes: [],
};

/** How many commits `few` appends, and how often it tries each. */
const FEW = 6;
const TRIES = 3;

/**
 * For specs: a second process. It prints `open`, or why it could not open the folder. With `append` or `few`, it then prints a line `stream seq` for
 * each acknowledged commit. With `follow`, it appends, and stores the newest seq of each stream and then the checkpoint for it.
 */
async function main(folder: string, task: string): Promise<void> {
  const { events, feed, documents, close } = await openOn(folder);
  process.stdout.write('open\n');
  if (task === 'follow') {
    const collection = documents.collection(effectsOf);
    const keep = async (batch: readonly Commit[]) => {
      const writes = batch.map(({ stream, seq }) => ({ kind: 'forward', id: stream, seq, doc: { seq } }) as const);
      await collection.write(writes);
      await documents.collection(checkpointsOf).write(writes);
    };
    await feed.consume(FOLLOWERS, keep, { maxBatch: 100 });
  }
  if (task === 'append' || task === 'follow')
    await Promise.all(Array.from({ length: 32 }, (_, i) => appendForEver(events, `stream/${i}`)));
  if (task !== 'few') return;
  await appendFew(events);
  await close();
  process.stdout.write('closed\n');
}

/** Appends a few commits one after the other, with data outside. It tries a failed append again, and prints `failed` with the name of the error. */
async function appendFew(events: EventStore): Promise<void> {
  const retryUntilDone = async (act: () => Promise<unknown>) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await act();
      } catch (error) {
        process.stdout.write(`failed ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
        if (tries === TRIES) throw error;
      }
    }
  };
  let before: Commit | null = null;
  for (let seq = 1; seq <= FEW; seq += 1) {
    const commit = nth('stream/0', seq, before);
    await retryUntilDone(() => events.putData('org', JSON.stringify(`${seq}`.repeat(300_000))));
    await retryUntilDone(() => events.append(commit));
    process.stdout.write(`${commit.stream} ${seq}\n`);
    before = commit;
  }
}

async function appendForEver(events: EventStore, stream: string): Promise<void> {
  let before: Commit | null = null;
  for (let seq = 1; ; seq += 1) {
    const commit = nth(stream, seq, before);
    const outcome = await events.append(commit);
    if (outcome !== 'appended') throw new Error(`${stream}#${seq}: ${outcome}`);
    process.stdout.write(`${stream} ${seq}\n`);
    before = commit;
  }
}

function nth(stream: string, seq: number, before: Commit | null): Commit {
  return {
    id: `${stream}#${seq}`,
    org: 'org',
    stream,
    seq,
    at: seq,
    actor: 'actor',
    correlation: 'correlation',
    prev: before === null ? null : commitHash(before),
    events: [{ type: 'SomethingHappened', version: 1, digest: '', size: 1_000, data: JSON.stringify('x'.repeat(998)) }],
  };
}

const [folder = '', task = ''] = process.argv.slice(2);
if (require.main === module)
  main(folder, task).catch((error: unknown) => {
    process.stdout.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
    // Exits at once: the engine may be still open.
    process.exit(1);
  });
