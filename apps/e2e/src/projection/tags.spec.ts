import { type TagChange, tagsAfter } from '@assurance/contracts/events/naming';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { type TaggedEvent, tagsView, tagWords } from '@assurance/flows/read/tags';
import { itemsWith } from '@assurance/flows/read/words';
import fc from 'fast-check';
import { batchSizes, cutIntoPieces, scheduleOperations, stoppedAfter } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

const KEYS = ['team', 'tier'];
const VALUES = ['', 'tea', 'night shift'];

/** Changes of the tags of one item, in order. */
const changes = fc.array(
  fc
    .record({ key: fc.constantFrom(...KEYS), value: fc.constantFrom(...VALUES, null) })
    .map(({ key, value }): TagChange => ({
      set: value === null ? {} : { [key]: value },
      removed: value === null ? [key] : [],
    })),
  { minLength: 1, maxLength: 6 },
);
const items = fc.array(fc.record({ kind: fc.constantFrom('control', 'flow', 'repo'), changes }), {
  minLength: 1,
  maxLength: 4,
});

const TYPES = { control: 'ControlTagged', flow: 'FlowTagged', repo: 'RepoTagged' } as const;

describe('words of tags', () => {
  const engines = temporaryEngines();
  let run = 0;

  it('are those of the tags that items have, in any order and batches, with repeats and stops', async () => {
    await fc.assert(
      fc.asyncProperty(
        items,
        fc.infiniteStream(fc.nat()),
        fc.array(fc.nat({ max: 8 }), { minLength: 2, maxLength: 2 }),
        batchSizes,
        fc.scheduler(),
        async (all, order, stops, sizes, scheduler) => {
          run += 1;
          const org = `o${run}`;
          const streamOf = (kind: string, i: number) => `${kind}/${org}-${i}`;
          const recorded = all.flatMap(({ kind, changes }, i) =>
            changes.map((data, n): RecordedEvent<TaggedEvent> => ({
              event: { type: TYPES[kind as keyof typeof TYPES], version: 1, data },
              meta: { org, actor: 'x', stream: streamOf(kind, i), seq: n + 1, at: n },
            })),
          );
          const documents = scheduleOperations(engines().documents, scheduler);
          // Two take everything, each in an order of its own, and one of them again after a stop.
          const consumers = stops.map(async (stop) => {
            const shuffled = recorded
              .map((one) => ({ one, at: order.next().value as number }))
              .sort((a, b) => a.at - b.at)
              .map(({ one }) => one);
            const stopped = stoppedAfter(documents, stop);
            for (const some of cutIntoPieces(shuffled, sizes)) {
              await tagsView.take(stopped, some).catch(() => tagsView.take(documents, some));
            }
          });
          await scheduler.waitFor(Promise.all(consumers));
          for (const kind of ['control', 'flow', 'repo']) {
            const tags = all.flatMap((tagged, i) =>
              tagged.kind === kind
                ? Object.entries(tagged.changes.reduce<Readonly<Record<string, string>>>(tagsAfter, {})).map(
                    ([key, value]) => [`${streamOf(kind, i)}#${key}`, `${key} ${value}`] as const,
                  )
                : [],
            );
            for (const word of ['te', 'team', 'tier', 'tea', 'night', 'shift']) {
              const foundItems = await itemsWith(engines().documents, tagWords, `${kind}/${org}`, word, 100);
              const expected = tags.filter(([, words]) => words.split(' ').some((tagWord) => tagWord.startsWith(word)));
              expect([...foundItems].sort()).toEqual(expected.map(([item]) => item).sort());
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);
});
