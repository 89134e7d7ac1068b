import type { ArtifactReported, Provenance } from '@assurance/contracts/flows/events';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { buildMoments, listBuilds } from '@assurance/flows/read/artifacts/builds';
import { artifactsView } from '@assurance/flows/read/artifacts/follow';
import { type ArtifactFilter, listArtifacts } from '@assurance/flows/read/artifacts/list';
import { artifactWords } from '@assurance/flows/read/artifacts/rows';
import { itemsWith } from '@assurance/flows/read/words';
import { provenance as provenanceOf } from '@assurance/testing/deciders/samples';
import fc from 'fast-check';
import { batchSizes, cutIntoPieces, scheduleOperations, stoppedAfter } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

type ReportedArtifact = RecordedEvent<ArtifactReported>;

const FINGERPRINTS = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(64));
const DAY = 86_400_000;

/** Reports of one trail of a flow. Moments lie in the same day, days and periods of days apart; some are the same. */
const trail = fc.record({
  flow: fc.nat({ max: 1 }),
  reports: fc.array(
    fc.record({
      fingerprint: fc.constantFrom(...FINGERPRINTS),
      repo: fc.constantFrom(0, 1, null),
      at: fc.tuple(fc.constantFrom(0, 1, 2, 40), fc.constantFrom(0, 7, DAY - 1)).map(([day, and]) => day * DAY + and),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

function streamOf(org: string, { flow, reports }: typeof trail extends fc.Arbitrary<infer T> ? T : never, n: number) {
  const existing = new Map<string, Provenance>();
  return reports.map(({ fingerprint, repo, at }, i): ReportedArtifact => {
    const first = existing.get(fingerprint) ?? null;
    const provenance = provenanceOf('web', {
      artifactId: first?.artifactId ?? `${n}-${fingerprint}`,
      flow: { id: `${org}-f${flow}`, name: `f${flow}` },
      trail: `t${n}`,
      gitCommit: fingerprint.slice(0, 40),
      commit: {
        sha1: fingerprint.slice(0, 40),
        message: `Mend part ${n}x${i}`,
        author: `${fingerprint[0]}${n} <${fingerprint[0]}@example.com>`,
        branch: null,
        timestamp: null,
        url: null,
      },
      repo: repo === null ? null : { id: `${org}-r${repo}`, name: 'shop', url: '', provider: 'github' },
      reportedAt: at,
    });
    if (first === null) existing.set(fingerprint, provenance);
    return {
      event: {
        type: 'ArtifactReported',
        version: 1,
        data: { fingerprint, provenance, first, reported: String(i), externalUrls: {}, annotations: {} },
      },
      meta: { org, actor: 'x', stream: `trail/${org}-f${flow}/t${n}`, seq: i + 1, at },
    };
  });
}

/** The expected list, folded from all events: reports by their ids. */
function naive(all: readonly ReportedArtifact[], { flow, repos }: ArtifactFilter): string[] {
  const expected = all
    .filter(({ event: { data } }) => data.first === null)
    .map(({ event: { data } }) => data)
    .filter(({ provenance }) => flow === null || provenance.flow.id === flow)
    .filter(({ provenance: { repo } }) => repos === null || (repo !== null && repos.includes(repo.id)))
    .sort(({ provenance: a }, { provenance: b }) =>
      a.reportedAt === b.reportedAt ? (a.artifactId < b.artifactId ? 1 : -1) : b.reportedAt - a.reportedAt,
    );
  const once = new Set<string>();
  return expected.flatMap(({ fingerprint, provenance: { artifactId, repo } }) => {
    const place = repos === null ? fingerprint : `${fingerprint} ${repo?.id ?? ''}`;
    if ((flow === null || repos !== null) && once.has(place)) return [];
    once.add(place);
    return [artifactId];
  });
}

/** The expected builds, oldest last: of the organization, or of one repository. */
function naiveBuilds(all: readonly ReportedArtifact[], repo: string | null): string[] {
  const first = new Map<string, Provenance>();
  for (const { event } of all) {
    const { fingerprint, provenance, first: existing } = event.data;
    if (existing !== null || (repo !== null && provenance.repo?.id !== repo)) continue;
    const other = first.get(fingerprint);
    if (other === undefined || isBefore(provenance, other)) first.set(fingerprint, provenance);
  }
  return [...first.values()].sort((a, b) => (isBefore(a, b) ? 1 : -1)).map(({ artifactId }) => artifactId);
}

function isBefore(a: Provenance, b: Provenance): boolean {
  return a.reportedAt === b.reportedAt ? a.artifactId < b.artifactId : a.reportedAt < b.reportedAt;
}

function filtersOf(org: string): ArtifactFilter[] {
  const [r0, r1] = [`${org}-r0`, `${org}-r1`];
  return [null, `${org}-f0`, `${org}-f1`].flatMap((flow) =>
    [null, [r0], [r1], [r0, r1]].map((repos) => ({ org, flow, repos })),
  );
}

describe('lists of artifacts', () => {
  const engines = temporaryEngines();
  let run = 0;

  it('equal a fold of all events, in any order and batches, with repeats, stops and reads between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(trail, { minLength: 2, maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        fc.array(fc.nat({ max: 20 }), { minLength: 2, maxLength: 2 }),
        batchSizes,
        fc.scheduler(),
        async (trails, order, stops, sizes, scheduler) => {
          run += 1;
          const org = `o${run}`;
          const all = trails.flatMap((trail, n) => streamOf(org, trail, n));
          const documents = scheduleOperations(engines().documents, scheduler);
          const shuffled = () =>
            all
              .map((one) => ({ one, at: order.next().value as number }))
              .sort((a, b) => a.at - b.at)
              .map(({ one }) => one);
          const readAll = () =>
            Promise.all(
              filtersOf(org).map((filter) => listArtifacts(engines().documents, filter, { page: 1, perPage: 2 })),
            );
          // Two take everything, each in an order of its own. All is counted after each batch, and when one was stopped in the middle.
          const consumers = stops.map(async (stop) => {
            const stopped = stoppedAfter(documents, stop);
            for (const some of cutIntoPieces(shuffled(), sizes)) {
              await artifactsView.take(stopped, some).catch(async () => {
                await readAll();
                await artifactsView.take(documents, some);
              });
              await readAll();
            }
          });
          const readers = filtersOf(org).map((filter) => listArtifacts(documents, filter, { page: 1, perPage: 2 }));
          await scheduler.waitFor(Promise.all([...consumers, ...readers]));
          for (const filter of filtersOf(org)) {
            const expectedNames = naive(all, filter);
            // Up to one page after the last.
            const pages = await Promise.all(
              Array.from({ length: Math.ceil(expectedNames.length / 2) + 1 }, (_, i) =>
                listArtifacts(engines().documents, filter, { page: i + 1, perPage: 2 }),
              ),
            );
            const rows = pages.flatMap((result) => result.rows);
            expect(rows.map(({ artifactId }) => artifactId)).toEqual(expectedNames);
            expect(rows.flatMap(({ left }) => left)).toEqual([]);
          }
          const firsts = all.filter(({ event: { data } }) => data.first === null);
          for (const { event, meta } of firsts) {
            const { message, author } = event.data.provenance.commit ?? {};
            for (const text of [message?.slice(5), author?.slice(0, 5)]) {
              const foundItems = await itemsWith(engines().documents, artifactWords, org, text ?? '', 20);
              expect(foundItems).toEqual([`${event.data.fingerprint}@${meta.stream}`]);
            }
          }
          for (const repo of [null, `${org}-r0`, `${org}-r1`]) {
            const window = { org, repos: repo === null ? null : [repo], start: 0, end: 100 * (DAY / 1_000) };
            const built = naiveBuilds(all, repo);
            const pages = await Promise.all(
              Array.from({ length: Math.ceil(built.length / 2) + 1 }, (_, i) =>
                listBuilds(engines().documents, window, { page: i + 1, perPage: 2 }),
              ),
            );
            expect(pages.flatMap(({ rows }) => rows.map(({ artifactId }) => artifactId))).toEqual(built);
            expect(pages.map(({ count }) => count)).toEqual(pages.map(() => built.length));
            const { moments, count } = await buildMoments(engines().documents, window, 3);
            expect([moments.length, count]).toEqual([Math.min(3, built.length), built.length]);
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  it('count the day that a row left, although its consumer stopped and another one moved the row on', async () => {
    const org = 'stopped';
    const [moving = '', other = ''] = FINGERPRINTS;
    const reported = (n: number, fingerprint: string, day: number) =>
      streamOf(org, { flow: 0, reports: [{ fingerprint, repo: null, at: day * DAY }] }, n);
    const { documents } = engines();
    const lists = async () => {
      const pages = [1, 2, 3].map((page) =>
        listArtifacts(documents, { org, flow: null, repos: null }, { page, perPage: 1 }),
      );
      return (await Promise.all(pages)).map(({ rows }) => rows.map(({ fingerprint }) => fingerprint));
    };
    await artifactsView.take(documents, [...reported(1, other, 1), ...reported(2, moving, 5)]);
    expect(await lists()).toEqual([[moving], [other], []]);
    await expect(artifactsView.take(stoppedAfter(documents, 1), reported(3, moving, 6))).rejects.toThrow('stopped');
    await artifactsView.take(documents, reported(4, moving, 7));
    expect(await lists()).toEqual([[moving], [other], []]);
  });
});
