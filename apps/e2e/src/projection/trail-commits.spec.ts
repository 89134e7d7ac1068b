import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { trailsView } from '@assurance/flows/read/trails/follow';
import { trailsOfCommit } from '@assurance/flows/read/trails/list';
import { trailWords } from '@assurance/flows/read/trails/rows';
import { itemsWith } from '@assurance/flows/read/words';
import fc from 'fast-check';
import { interleave } from '../support/deployment-streams';
import { batchSizes, cutIntoPieces, scheduleOperations, stoppedAfter } from '../support/interleaved';
import { sha1 } from '../support/samples';
import { temporaryEngines } from '../support/temporary-engines';

/** Words of a message; null for an event without a commit. Long messages have more documents of words than short ones. */
const messages = fc.array(fc.constantFrom(null, 1, 12, 25), { minLength: 1, maxLength: 5 });

describe('commits of trails', () => {
  const engines = temporaryEngines();
  let run = 0;

  it('are found by what was set last, in any batches, with repeats and stops', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(messages, { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.nat({ max: 3 })),
        fc.array(fc.nat({ max: 8 }), { minLength: 2, maxLength: 2 }),
        batchSizes,
        fc.scheduler(),
        async (all, turns, stops, sizes, scheduler) => {
          run += 1;
          const org = `o${run}`;
          const commitOf = (trail: number, i: number, words: number) => ({
            sha1: sha1(`${org} ${trail} ${i}`),
            message: Array.from({ length: words }, (_, n) => `w${trail}x${i}x${n}y`).join(' '),
            author: `by${trail}x${i}y`,
            branch: null,
            timestamp: null,
            url: null,
          });
          const streams = all.map((messages, trail) =>
            messages.map((words, i): RecordedEvent => {
              const commit = words === null ? null : commitOf(trail, i, words);
              const begun = { flow: { id: `${org}-f`, name: 'shop' }, name: `t${trail}`, templateId: 't', commit };
              const data = i === 0 ? begun : commit === null ? { description: `${i}` } : { commit };
              return {
                event: { type: i === 0 ? 'TrailBegun' : 'TrailUpdated', version: 1, data },
                meta: { org, actor: 'x', stream: `trail/${org}-f/t${trail}`, seq: i + 1, at: i },
              };
            }),
          );
          const documents = scheduleOperations(engines().documents, scheduler);
          const consumers = stops.map(async (stop) => {
            const stopped = stoppedAfter(documents, stop);
            for (const some of cutIntoPieces(interleave(streams, turns), sizes)) {
              await trailsView.take(stopped, some).catch(() => trailsView.take(documents, some));
            }
          });
          await scheduler.waitFor(Promise.all(consumers));
          const read = engines().documents;
          for (const [trail, messages] of all.entries()) {
            const newest = messages.findLastIndex((words) => words !== null);
            for (const [i, words] of messages.entries()) {
              if (words === null) continue;
              const names = (await trailsOfCommit(read, org, commitOf(trail, i, words).sha1.slice(0, 12), 9)).map(
                ({ name }) => name,
              );
              expect(names).toEqual(i === newest ? [`t${trail}`] : []);
              for (const text of [`w${trail}x${i}x${Math.min(words, 20) - 1}y`, `by${trail}x${i}y`]) {
                const expected = i === newest ? [`trail/${org}-f/t${trail}`] : [];
                expect(await itemsWith(read, trailWords, org, text, 9)).toEqual(expected);
              }
            }
            expect(await itemsWith(read, trailWords, org, `t${trail}`, 9)).toEqual([`trail/${org}-f/t${trail}`]);
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);
});
