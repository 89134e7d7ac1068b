import { follow } from '@assurance/deployments/read/deployments/follow';
import { deploymentLists } from '@assurance/deployments/read/deployments/list';
import { countedDeployments, type DeploymentRow } from '@assurance/deployments/read/deployments/rows';
import { deploymentFigures } from '@assurance/deployments/read/figures/read';
import type { Figures } from '@assurance/deployments/read/figures/rows';
import { revise } from '@assurance/event-sourcing/projection/days/revisions';
import fc from 'fast-check';
import {
  BEGIN,
  FINGERPRINTS,
  type RecordedEvent,
  reports,
  snapshots,
  streamsOf,
  interleave,
} from '../support/deployment-streams';
import { batchSizes, cutIntoPieces, scheduleOperations, stoppedAfter } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

const DAY = 86_400;
const COUNTED = ['first', 'rollback', 'redeployment'];
/** Days of 80 quarters of an hour or so, so that buckets cut days of UTC. */
const BUCKETS = Array.from({ length: 150 }, (_, i) => ({ from: BEGIN + i * 72_000, to: BEGIN + (i + 1) * 72_000 }));

const EVER = [{ from: BEGIN, to: BEGIN + 1_000 * DAY }];

/** The same with verdicts, and with the times of commits. */
function withVerdicts(stream: readonly RecordedEvent[], verdicts: readonly (boolean | null)[]): RecordedEvent[] {
  return stream.map(({ event, meta }, i) => {
    if (event.type === 'SnapshotRecorded') {
      const compliant = verdicts[i % verdicts.length] ?? null;
      const judged = { compliant: compliant === true, policies: [], requireProvenance: false, heads: {} };
      const observedAt = (BEGIN + (i + 1) * 3 * DAY) * 1_000;
      const data = { ...event.data, observedAt, ...(compliant === null ? {} : { judged }) };
      return { event: { ...event, data }, meta };
    }
    if (event.type !== 'ArtifactReported') return { event, meta };
    const commit = (of: typeof event.data.provenance) => ({
      ...of,
      template: event.data.fingerprint === FINGERPRINTS[2] ? 'api' : 'web',
      commit: {
        sha1: of.gitCommit,
        message: null,
        author: null,
        branch: null,
        url: null,
        timestamp: BEGIN + of.reportedAt,
      },
    });
    const { provenance, first } = event.data;
    const data = { ...event.data, provenance: commit(provenance), first: first === null ? null : commit(first) };
    return { event: { ...event, data }, meta };
  });
}

/** When environments recovered, and after how long, computed from their streams only. */
function recoveriesIn(streams: readonly (readonly RecordedEvent[])[]) {
  return streams.flatMap((stream) => {
    let since: number | null = null;
    return stream.flatMap(({ event }) => {
      if (event.type !== 'SnapshotRecorded') return [];
      const { judged } = event.data;
      const at = (event.data.observedAt ?? 0) / 1_000;
      const results =
        judged?.compliant === true && since !== null
          ? [{ at, took: at - since, environment: event.data.environment }]
          : [];
      since = judged?.compliant === false ? (since ?? at) : null;
      return results;
    });
  });
}

const rounded = ({ deployments, rollbacks, lead, recovery }: Figures) => [
  deployments,
  rollbacks,
  lead.count,
  Math.round(lead.sum),
  recovery.count,
  Math.round(recovery.sum),
];

describe('figures of deployments', () => {
  const engines = temporaryEngines();
  let run = 0;
  /** Counts of compared figures: rollbacks, lead times, recoveries. */
  const seen = [0, 0, 0];

  const rowsOf = async (org: string) => {
    const { rows, order } = countedDeployments;
    const results = await engines().documents.collection(rows).find({ where: { org }, order, limit: 1000 });
    return results.map(({ doc }) => doc);
  };

  it('equal those of all rows, however consumers interleave, stop and repeat, with reads between', async () => {
    const verdicts = fc.array(fc.constantFrom(true, false, null), { minLength: 1, maxLength: 4 });
    // The second environment always rolls back and recovers: chance alone gave no rollback in one run of a hundred.
    const rollbacks = snapshots.map((later) => [...[0, 1, 0].map((i) => FINGERPRINTS.slice(i, i + 1)), ...later]);
    const recoveries = verdicts.map((later) => [false, true, ...later]);
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(snapshots, rollbacks),
        fc.tuple(reports, reports),
        fc.tuple(verdicts, recoveries),
        fc.array(fc.nat({ max: 60 }), { minLength: 3, maxLength: 3 }),
        fc.tuple(batchSizes, fc.infiniteStream(fc.nat({ max: 1 }))),
        fc.scheduler(),
        async (environments, trails, judged, stops, [sizes, turns], scheduler) => {
          run += 1;
          const org = `figured${run}`;
          const documents = scheduleOperations(engines().documents, scheduler);
          const all = streamsOf(org, environments, trails).map((stream, i) =>
            withVerdicts(stream, judged[i % 2] ?? [null]),
          );
          const [e0 = [], e1 = [], t0 = [], t1 = []] = all;
          // Two consumers follow the first environment, as when one is considered dead.
          const consumers = [e0, e0, interleave([e1, t0], turns), t1].map(async (stream, i) => {
            const stopped = stoppedAfter(documents, stops[i % stops.length] ?? 0);
            for (const some of cutIntoPieces(stream, sizes)) {
              await follow(stopped, some).catch(() => follow(documents, some));
            }
          });
          const filters = [null, [`${org}-e0`], [`${org}-e0`, `${org}-e1`]].flatMap((those) =>
            [null, [`repo-of-${org}-t0`]].map((repos) => ({ org, environments: those, repos })),
          );
          const readers = filters.map((filter) => deploymentFigures(documents, filter, BUCKETS));
          await scheduler.waitFor(Promise.all([...consumers, ...readers]));
          const rows = await rowsOf(org);
          for (const { environments: those, repos } of filters) {
            const filter = { org, environments: those, repos };
            const deployments = rows.filter((row) => isIn(row, those, repos));
            const recovered = recoveriesIn([e0, e1]).filter(
              ({ environment }) => repos === null && (those === null || those.includes(environment)),
            );
            const expected = BUCKETS.map(({ from, to }) => {
              const inside = (at: number) => at >= from && at < to;
              const own = deployments.filter(({ deployedAt, kind }) => inside(deployedAt) && COUNTED.includes(kind));
              const leads = own.flatMap(({ origin, deployedAt, kind }) => {
                const commit = origin?.commit?.timestamp ?? null;
                return kind !== 'first' || commit === null ? [] : [deployedAt - commit];
              });
              const again = own.filter(({ kind }) => kind === 'rollback');
              const times = recovered.filter(({ at }) => inside(at)).map(({ took }) => took);
              const sum = (numbers: readonly number[]) =>
                Math.round(numbers.reduce((total, value) => total + value, 0));
              return [own.length, again.length, leads.length, sum(leads), times.length, sum(times)];
            });
            for (const [, again = 0, leads = 0, , times = 0] of expected) {
              for (const [i, more] of [again, leads, times].entries()) seen[i] = (seen[i] ?? 0) + more;
            }
            // Computed first, then cached.
            for (let i = 0; i < 2; i += 1) {
              const results = await deploymentFigures(engines().documents, filter, BUCKETS);
              expect(results.map(rounded)).toEqual(expected);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(seen.map((count) => count > 0)).toEqual([true, true, true]);
  }, 120_000);

  it('stay the same where restarts and empty reports are added, and those of an organization are sums', async () => {
    // Of each line one runs at a time, or none: the first two fingerprints are of one line.
    const report = fc
      .tuple(fc.constantFrom<readonly string[]>([], [FINGERPRINTS[0] ?? ''], [FINGERPRINTS[1] ?? '']), fc.boolean())
      .map(([web, api]) => [...web, ...(api ? [FINGERPRINTS[2] ?? ''] : [])]);
    const history = fc.array(report, { minLength: 1, maxLength: 7 });
    const added = fc.array(fc.constantFrom('nothing', 'empty', 'restart'), { minLength: 7, maxLength: 7 });
    const built = FINGERPRINTS.map((fingerprint, i) => ({ fingerprint, at: i + 1 }));
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(history, history, added, async (firstHistory, secondHistory, additions) => {
        run += 1;
        const totalsOf = async (org: string, environments: readonly (typeof firstHistory)[]) => {
          for (const stream of streamsOf(org, environments, [built])) {
            for (const event of withVerdicts(stream, [null])) await follow(engines().documents, [event]);
          }
          const figures = async (those: readonly string[] | null) => {
            const results = await deploymentFigures(
              engines().documents,
              { org, repos: null, environments: those },
              EVER,
            );
            return results.map(rounded)[0] ?? [];
          };
          const each = await Promise.all(environments.map((_, i) => figures([`${org}-e${i}`])));
          const all = await figures(null);
          expect(all).toEqual(all.map((_, i) => each.reduce((sum, own) => sum + (own[i] ?? 0), 0)));
          return all;
        };
        // Between two reports nothing runs, or all that runs restarts.
        const more = firstHistory.flatMap((runs, i) => {
          const addition = additions[i];
          return addition === 'nothing' ? [runs] : addition === 'empty' ? [runs, []] : [runs, [], runs];
        });
        const [plain = 0, rollbacks, leads] = await totalsOf(`plain${run}`, [firstHistory, secondHistory]);
        const [same, rolledBack, ledAgain] = await totalsOf(`added${run}`, [more, secondHistory]);
        expect([same, rolledBack, ledAgain]).toEqual([plain, rollbacks, leads]);
        counted += plain;
      }),
      { numRuns: 60 },
    );
    expect(counted).toBeGreaterThan(0);
  }, 120_000);

  it('follow rows that come to and leave days which were read before, whole or by quarters of an hour', async () => {
    const at = fc.integer({ min: 0, max: 2 * DAY - 1 });
    const changes = fc.array(fc.tuple(fc.nat({ max: 4 }), at), { minLength: 1, maxLength: 25 });
    const days = [0, DAY].map((from) => ({ from, to: from + DAY }));
    const shifted = [-3_600, DAY - 3_600, 2 * DAY - 3_600].map((from) => ({ from, to: from + DAY }));
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 2, maxLength: 5 }), async (turns) => {
        run += 1;
        const org = `read${run}`;
        const { documents } = engines();
        const rows = new Map<number, number>();
        for (const turn of turns) {
          for (const [number, moment] of turn) {
            const before = rows.get(number);
            rows.set(number, moment);
            const row: DeploymentRow = {
              org,
              environment: 'e',
              environmentName: 'e',
              snapshot: 1,
              name: 'a',
              base: 'a',
              compliant: null,
              kind: 'first',
              first: true,
              origin: null,
              fingerprint: String(number),
              deployedAt: moment,
            };
            await documents
              .collection(countedDeployments.rows)
              .write([{ kind: 'put', id: `${org}/${number}`, doc: row }]);
            const touched = [moment, ...(before === undefined ? [] : [before])];
            const list = deploymentLists({ org, repos: null, environments: null })[0]?.key ?? '';
            await revise(
              documents,
              countedDeployments,
              touched.map((seconds) => [list, seconds]),
            );
          }
          for (const buckets of [days, shifted]) {
            const results = await deploymentFigures(documents, { org, repos: null, environments: null }, buckets);
            const expected = buckets.map(({ from, to }) =>
              [...rows.values()].filter((time) => time >= from && time < to),
            );
            expect(results.map(({ deployments }) => deployments)).toEqual(expected.map(({ length }) => length));
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});

function isIn(row: DeploymentRow, environments: readonly string[] | null, repos: readonly string[] | null): boolean {
  return (
    (environments === null || environments.includes(row.environment)) &&
    (repos === null || (row.origin?.repo != null && repos.includes(row.origin.repo.id)))
  );
}
