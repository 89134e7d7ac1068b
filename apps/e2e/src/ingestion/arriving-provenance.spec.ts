import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import fc from 'fast-check';
import type { Caller } from '../support/caller';
import { startLoose } from '../support/deployments';
import { eventually } from '../support/eventually';
import type { RunningService } from '../support/running';
import { artifact, digest, environment, flow, item, post, report } from '../support/samples';
import { worldOf } from '../support/world';

/** An artifact without a repository, so that recording it takes about as many steps as a report. */
const PLAIN = { repo_info: undefined };

/** How many flows know the artifact in each snapshot of an environment, the first first. */
async function knownIn(caller: Caller, env: string): Promise<number[]> {
  const counts: number[] = [];
  for (let n = (await caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`)).index; n > 0; n -= 1) {
    const { artifacts } = await caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/${n}`);
    counts.unshift(artifacts[0]?.flows.length ?? -1);
  }
  return counts;
}

describe('provenance that arrives while its artifact starts', () => {
  let scheduler: fc.Scheduler | null = null;
  /** Told of every step that the scheduler gave a turn. */
  let onTurn: () => void = () => undefined;
  let service: RunningService;
  let caller: Caller;

  beforeAll(async () => {
    // Every step of the storage waits for its turn: those of requests, consumers and workers.
    service = await startLoose({}, async () => {
      await scheduler?.schedule(Promise.resolve());
      onTurn();
    });
    caller = (await worldOf(service)).as('member');
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    expect(service.faults).toEqual([]);
  });

  /** Kept after so many turns. */
  const turnsAhead = (count: number) =>
    new Promise<void>((resolve) => {
      let left = count;
      onTurn = () => (left -= 1) <= 0 && resolve();
      if (count === 0) resolve();
    });

  it('is recorded exactly once in any order of the steps of both commands', async () => {
    const ends = new Map<string, number[]>();
    const flows = [await flow(caller), await flow(caller)];
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 2 }), fc.nat(160), async (turns, reports, head) => {
        const env = await environment(caller);
        const web = digest(env);
        const ahead = turnsAhead(head);
        scheduler = turns;
        try {
          const posts = Promise.all(flows.slice(0, reports).map((name) => post(caller, name, artifact(web, PLAIN))));
          const started = Promise.race([ahead, posts]).then(() => report(caller, env, [item({ web })]));
          await turns.waitFor(Promise.all([posts, started]));
        } finally {
          scheduler = null;
          await turns.waitIdle();
        }
        const counts = await eventually(
          () => knownIn(caller, env),
          (all) => all.at(-1) === reports,
        );
        ends.set(env, counts);
        expect(counts.at(-1)).toBe(reports);
        // Each snapshot after the first has more provenance than the one before: none is without a change.
        expect(counts).toEqual([...new Set(counts)].sort());
      }),
      { numRuns: 30 },
    );
    // Later work would have shown a repeated snapshot.
    for (const [env, counts] of ends) expect(await knownIn(caller, env)).toEqual(counts);
    const started = [...ends.values()].map(([first]) => first);
    expect(started).toContain(0);
    expect([...ends.values()].some(({ length }) => length === 1)).toBe(true);
  }, 150_000);
});
