import { deploymentsView, follow } from '@assurance/deployments/read/deployments/follow';
import { type DeploymentFilter, listDeployments, withReplaced } from '@assurance/deployments/read/deployments/list';
import { countedDeployments, type DeploymentRow } from '@assurance/deployments/read/deployments/rows';
import { environmentEventsView } from '@assurance/environments/read/environment-events/follow';
import { listEnvironmentEvents } from '@assurance/environments/read/environment-events/list';
import fc from 'fast-check';
import { expectedDeployments, type From } from '../support/deployment-history';
import {
  BEGIN,
  deployedAt,
  FINGERPRINTS,
  nameOf,
  ofEarlierVersion,
  type RecordedEvent,
  renameEachSnapshot,
  reports,
  snapshots,
  streamsOf,
  interleave,
} from '../support/deployment-streams';
import { batchSizes, cutIntoPieces, scheduleOperations, stoppedAfter } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

function isIn({ environments, repos, start, end }: DeploymentFilter, row: DeploymentRow): boolean {
  const { environment, origin, deployedAt } = row;
  return (
    (environments === null || environments.includes(environment)) &&
    (repos === null || (origin?.repo != null && repos.includes(origin.repo.id))) &&
    deployedAt >= start &&
    deployedAt <= end
  );
}

describe('the deployments view', () => {
  const engines = temporaryEngines();
  let run = 0;

  function collectionNamed(name: string) {
    const definition = deploymentsView.collections.find((collection) => collection.name === name);
    if (definition === undefined) throw new Error(`the view has no ${name}`);
    return definition;
  }

  /** All rows of an organization, without what tells organizations apart. */
  async function rowsOf(org: string) {
    const all = [];
    for (const name of ['view_deployments', 'view_departures']) {
      const rows = engines().documents.collection(collectionNamed(name));
      const results = await rows.find({ where: { org }, order: [['fingerprint', 'asc']], limit: 1000 });
      all.push(...results.sort((a, b) => (a.id < b.id ? -1 : 1)));
    }
    return JSON.parse(JSON.stringify(all).replaceAll(org, 'ORG')) as unknown[];
  }

  it('has the same rows in the end, however its consumers interleave, stop and repeat', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(snapshots, snapshots),
        fc.tuple(reports, reports),
        fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 4 }),
        fc.tuple(batchSizes, fc.infiniteStream(fc.nat({ max: 3 }))),
        fc.scheduler(),
        async (environments, trails, repeats, [sizes, turns], scheduler) => {
          run += 1;
          const [plain, shuffled] = [`plain${run}`, `mixed${run}`];
          const renamedToo = (org: string) =>
            streamsOf(org, environments, trails).map((stream, i) =>
              i < environments.length ? renameEachSnapshot(stream) : stream,
            );
          for (const stream of renamedToo(plain)) {
            for (const recordedEvent of stream) await follow(engines().documents, [recordedEvent]);
          }
          const documents = scheduleOperations(engines().documents, scheduler);
          // Every stream is taken twice, as by a rebuild beside the feed. A consumer that stopped before it stored its progress takes some events again.
          const repeated = (consumer: number) =>
            renamedToo(shuffled).map((stream, i) => [
              ...stream.slice(0, repeats[(i + consumer) % repeats.length]),
              ...stream,
            ]);
          // One takes each stream by itself, the other all in the same batches.
          const [first, ...others] = [...repeated(0), interleave(repeated(1), turns)];
          const other = scheduleOperations(engines().documents, scheduler);
          // The first one is of another process, which has no cache of what the others wrote.
          const consumers = [
            [other, first ?? []] as const,
            ...others.map((stream) => [documents, stream] as const),
          ].map(async ([own, stream]) => {
            for (const some of cutIntoPieces(stream, sizes)) await follow(own, some);
          });
          await scheduler.waitFor(Promise.all(consumers));
          expect(await rowsOf(shuffled)).toEqual(await rowsOf(plain));
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  it('has the kinds and the replaced artifacts that the whole history tells, in the end', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(snapshots, snapshots),
        fc.tuple(reports, reports),
        fc.tuple(batchSizes, fc.infiniteStream(fc.nat({ max: 3 })), fc.boolean()),
        fc.scheduler(),
        async (environments, trails, [sizes, turns, isEarlier], scheduler) => {
          run += 1;
          const org = `told${run}`;
          const events = streamsOf(org, environments, trails);
          const streams = isEarlier ? events.map(ofEarlierVersion) : events;
          const documents = scheduleOperations(engines().documents, scheduler);
          const other = scheduleOperations(engines().documents, scheduler);
          const consumers = [
            ...streams.map((stream) => [documents, stream] as const),
            [other, interleave(streams, turns)] as const,
          ].map(async ([own, stream]) => {
            for (const some of cutIntoPieces(stream, sizes)) await follow(own, some);
          });
          await scheduler.waitFor(Promise.all(consumers));
          const deployments = (await withReplaced(engines().documents, await allDeployments(org))).map(
            ({ row: { environment, snapshot, fingerprint, kind }, replaced }) => [
              environment,
              snapshot,
              fingerprint,
              kind,
              replaced && [replaced.fingerprint, replaced.snapshot - 1],
            ],
          );
          const expected = environments.flatMap((runs, i) =>
            expectedDeployments(
              runs.map((some, n) => ({
                isFirstReport: n === 0,
                runs: new Map(
                  some.map((fingerprint) => [fingerprint, { name: nameOf(fingerprint), start: deployedAt(n) }]),
                ),
              })),
              fromIn(streams.flat()),
            ).map(({ snapshot, fingerprint, kind, replaced }) => [
              `${org}-e${i}`,
              snapshot,
              fingerprint,
              kind,
              replaced && [replaced.fingerprint, replaced.snapshot],
            ]),
          );
          expect(deployments.map(String).sort()).toEqual(expected.map(String).sort());
          for (const [, , , kind, replaced] of expected) seen.add(String(kind)).add(String(replaced !== null));
        },
      ),
      { numRuns: 150 },
    );
    expect(seen.size).toBe(7);
  }, 120_000);

  /** Where fingerprints come from by their first reports. */
  function fromIn(recorded: readonly RecordedEvent[]) {
    const all = recorded.flatMap(({ event }) => (event.type === 'ArtifactReported' ? [event.data] : []));
    return (fingerprint: string): From | null => {
      const [first] = all
        .filter((deployment) => deployment.fingerprint === fingerprint)
        .map(({ provenance, first: existing }) => existing ?? provenance)
        .sort((a, b) => a.reportedAt - b.reportedAt || (a.artifactId < b.artifactId ? -1 : 1));
      return first === undefined
        ? null
        : { repo: first.repo?.id ?? null, flow: first.flow.id, template: first.template ?? '' };
    };
  }

  /** Every list of deployments, in some windows. */
  function listsOf(org: string, { start, end }: Pick<DeploymentFilter, 'start' | 'end'>): DeploymentFilter[] {
    const period = { org, start, end };
    const [e0, e1] = [`${org}-e0`, `${org}-e1`];
    const [r0, r1] = [`repo-of-${org}-t0`, `repo-of-${org}-t1`];
    return [null, [e0], [e1], [e0, e1]].flatMap((environments) =>
      [null, [r0], [r1], [r0, r1]].map((repos) => ({ ...period, environments, repos })),
    );
  }

  it('counts and pages like a count of all rows, with reads and stops between', async () => {
    const day = fc
      .tuple(fc.nat({ max: 80 }), fc.constantFrom(-0.001, 0, 100))
      .map(([n, and]) => BEGIN + Math.max(0, n * 86_400 + and));
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(snapshots, snapshots),
        fc.tuple(reports, reports),
        fc.tuple(day, day).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) })),
        fc.array(fc.nat({ max: 40 }), { minLength: 4, maxLength: 4 }),
        fc.tuple(batchSizes, fc.infiniteStream(fc.nat({ max: 1 }))),
        fc.scheduler(),
        async (environments, trails, window, stops, [sizes, turns], scheduler) => {
          run += 1;
          const org = `counted${run}`;
          const documents = scheduleOperations(engines().documents, scheduler);
          const [e0 = [], e1 = [], t0 = [], t1 = []] = streamsOf(org, environments, trails);
          const consumers = [e0, interleave([e1, t0], turns), t1].map(async (stream, i) => {
            const stopped = stoppedAfter(documents, stops[i] ?? 0);
            for (const some of cutIntoPieces(stream, sizes)) {
              // Stopped somewhere in the middle, it takes the events again.
              await follow(stopped, some).catch(() => follow(documents, some));
            }
          });
          const readers = listsOf(org, { start: 0, end: BEGIN + 90 * 86_400 }).map((filter) =>
            listDeployments(documents, filter, { page: 1, perPage: 2 }),
          );
          await scheduler.waitFor(Promise.all([...consumers, ...readers]));
          const rows = await allDeployments(org);
          for (const filter of [...listsOf(org, window), ...listsOf(org, { start: 0, end: BEGIN + 90 * 86_400 })]) {
            const deployments = rows.filter((row) => isIn(filter, row));
            // Up to one page after the last.
            const pages = await Promise.all(
              Array.from({ length: Math.ceil(deployments.length / 4) + 1 }, (_, i) =>
                listDeployments(engines().documents, filter, { page: i + 1, perPage: 4 }),
              ),
            );
            for (const { count } of pages) expect(count).toBe(deployments.length);
            expect(pages.flatMap((page) => page.rows)).toEqual(deployments);
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  async function allDeployments(org: string) {
    const { rows, order } = countedDeployments;
    return (await engines().documents.collection(rows).find({ where: { org }, order, limit: 1000 })).map(
      ({ doc }) => doc,
    );
  }

  it('numbers the events of environments equally, however their consumers interleave, stop and repeat', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(snapshots, snapshots),
        fc.array(fc.nat({ max: 3 }), { minLength: 2, maxLength: 2 }),
        batchSizes,
        fc.scheduler(),
        async (environments, repeats, sizes, scheduler) => {
          run += 1;
          const [plain, shuffled] = [`alone${run}`, `twice${run}`];
          const eventsOf = async (org: string) => {
            const filter = { range: { first: 1, last: 9 }, repos: null, oldestFirst: true };
            const all = environments.map((_, i) =>
              listEnvironmentEvents(
                engines().documents,
                { environment: `${org}-e${i}`, ...filter },
                { page: 1, perPage: 50 },
              ),
            );
            const rows = (await Promise.all(all)).map(({ documents: events }) => events.map(({ doc }) => doc));
            return JSON.parse(JSON.stringify(rows).replaceAll(org, 'ORG')) as { number: number }[][];
          };
          for (const stream of streamsOf(plain, environments, [])) {
            for (const recordedEvent of stream) await environmentEventsView.take(engines().documents, [recordedEvent]);
          }
          const documents = scheduleOperations(engines().documents, scheduler);
          // Two consumers take every stream, as when one is considered dead. Each begins some events too early.
          const consumers = [0, 1].flatMap((consumer) =>
            streamsOf(shuffled, environments, []).map(async (stream) => {
              for (const some of cutIntoPieces([...stream.slice(0, repeats[consumer]), ...stream], sizes)) {
                await environmentEventsView.take(documents, some);
              }
            }),
          );
          await scheduler.waitFor(Promise.all(consumers));
          const numbered = await eventsOf(shuffled);
          expect(numbered).toEqual(await eventsOf(plain));
          for (const all of numbered) expect(all.map(({ number }) => number)).toEqual(all.map((_, i) => i + 1));
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  it('has rows with and without origin to compare', async () => {
    run += 1;
    const org = `some${run}`;
    const existing = { fingerprint: FINGERPRINTS[0] ?? '', at: 1 };
    for (const stream of streamsOf(org, [[FINGERPRINTS]], [[existing]])) {
      for (const recordedEvent of stream) await follow(engines().documents, [recordedEvent]);
    }
    const rows = (await rowsOf(org)) as { doc: { origin: unknown } }[];
    expect(rows.map(({ doc }) => doc.origin !== null)).toEqual([true, false, false]);
    const storedNames = async () =>
      (await withReplaced(engines().documents, await allDeployments(org))).map(({ row }) => row.origin?.gitCommit);
    expect((await storedNames()).filter((storedName) => storedName !== undefined)).toHaveLength(1);
    // Lost with the process, and not taken again yet.
    await engines().documents.drop(collectionNamed('view_deployment_reports'));
    expect(await storedNames()).toEqual([undefined, undefined, undefined]);
  });
});
