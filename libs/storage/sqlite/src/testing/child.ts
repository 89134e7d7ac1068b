import { commitHash } from '@assurance/storage-records';
import type { Commit, EventStore } from '@assurance/storage-ports';
import { openOn } from './open-temporary';

/** For specs: a second process. It says `open`, or why it could not; with `append`, then a line `stream seq` for each commit that was told as appended. */
async function main(folder: string, task: string): Promise<void> {
  const { events } = await openOn(folder);
  process.stdout.write('open\n');
  if (task === 'append') await Promise.all(Array.from({ length: 32 }, (_, i) => appendForEver(events, `stream/${i}`)));
}

async function appendForEver(events: EventStore, stream: string): Promise<void> {
  let before: Commit | null = null;
  for (let seq = 1; ; seq += 1) {
    const commit: Commit = {
      ...{ id: `${stream}#${seq}`, org: 'org', stream, seq, at: seq, actor: 'actor', correlation: 'correlation' },
      prev: before === null ? null : commitHash(before),
      events: [
        { type: 'SomethingHappened', version: 1, digest: '', size: 1_000, data: JSON.stringify('x'.repeat(998)) },
      ],
    };
    const outcome = await events.append(commit);
    if (outcome !== 'appended') throw new Error(`${stream}#${seq}: ${outcome}`);
    process.stdout.write(`${stream} ${seq}\n`);
    before = commit;
  }
}

const [folder = '', task = ''] = process.argv.slice(2);
main(folder, task).catch((error: unknown) => {
  process.stdout.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
  process.exitCode = 1;
});
