import fc from 'fast-check';
import type { EnvironmentEvent, RunningArtifact } from '@assurance/contracts/environments/events';
import { metaAt } from '@assurance/testing/deciders/replay';
import {
  environmentCreated,
  factsAfter,
  environmentAfter,
  PROD,
  provenance,
} from '@assurance/testing/deciders/samples';
import { collectInSlices, decideReport } from '../write/decide-in-slices';
import type { Reported, ReportItem } from './difference';
import { environment } from './environment';
import { runningAfter } from './judged';
import { refreshedRunning } from './refresh';
import { keyText, runsDigests } from './runs';
import { SnapshotReplay } from './snapshot';

const NAMES = ['web:1', 'web:2', 'api:1', 'db'];
const DIGESTS = ['', 'aa', 'bb', 'cc', 'dd', 'ee'];
const existing = Object.fromEntries(
  DIGESTS.slice(1).map((digest, index) => [digest, [provenance(digest, { template: index % 2 === 0 ? 'web' : null })]]),
);

const item = fc.record({
  digests: fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...DIGESTS), { maxKeys: 3 }).map(Object.entries),
  creationTimestamp: fc.nat(9),
});
const body = fc.array(item, { maxLength: 5 });
const reports = fc.array(body, { minLength: 1, maxLength: 40 });
/** Enough of them that full states are stored in between. */
const manyReports = fc.array(fc.array(item, { minLength: 1, maxLength: 5 }), { minLength: 40, maxLength: 60 });

/** The report of a snapshot. */
interface SnapshotReport {
  readonly snapshot: number;
  readonly reported: readonly Reported[];
}

/** Decides report after report, as the role does, and checks what runs after each. */
async function play(includeScaling: boolean, bodies: readonly (readonly ReportItem[])[]) {
  const events: EnvironmentEvent[] = [environmentCreated({ includeScaling })];
  const made: SnapshotReport[] = [];
  for (const body of bodies) {
    const reported = await collectInSlices(body);
    const present = environmentAfter(events);
    const decision = await decideReport(present, { type: 'docker', artifacts: reported }, factsAfter(events, existing));
    if (decision.kind === 'refused') throw new Error('a docker report is not refused');
    if (decision.kind === 'nothing') {
      if (isKnown(reported)) expect(identities(present.running)).toEqual(identities(reported));
      continue;
    }
    const [recorded] = decision.events;
    if (recorded.type !== 'SnapshotRecorded') throw new Error('the snapshot comes first');
    const { refreshed = { artifacts: [], dropped: [] }, changes } = recorded.data;
    const after = runningAfter(refreshedRunning(present.running, refreshed), changes);
    made.push({ snapshot: recorded.data.snapshot, reported });
    events.push(...decision.events);
    if (!isKnown(reported)) continue;
    expect(linesOf(after)).toEqual(linesOf(reported));
    const digest = includeScaling ? 'runsCounted' : 'runs';
    expect(runsDigests(after)[digest]).toBe(runsDigests(reported)[digest]);
    expect(runsDigests(present.running)[digest]).not.toBe(runsDigests(reported)[digest]);
  }
  return { events, made };
}

/** All artifacts of a report, and of the snapshot that it makes. */
function linesOf(artifacts: readonly Pick<RunningArtifact, 'fingerprint' | 'name' | 'instances'>[]): string[] {
  return artifacts.map((artifact) => `${keyText(artifact)} ${artifact.instances.join()}`).sort();
}

/** What is compared. */
function identities(artifacts: readonly Pick<RunningArtifact, 'fingerprint'>[]): Set<string> {
  return new Set(artifacts.map(({ fingerprint }) => fingerprint));
}

/** For an unknown digest, what runs may have more details. */
function isKnown(artifacts: readonly Reported[]): boolean {
  return artifacts.every(({ fingerprint }) => fingerprint !== '');
}

/** The snapshot that events from one position to another make. */
function foldSnapshot(events: readonly EnvironmentEvent[]) {
  const replay = new SnapshotReplay();
  for (const event of events) replay.apply(event);
  const { artifacts, changes, environment: name } = replay.result();
  return { artifacts: new Map(artifacts.map((artifact) => [keyText(artifact), artifact])), changes, name };
}

describe('recorded snapshots', () => {
  it('show what was reported, are numbered without gaps, and nothing is recorded for a report that says the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), reports, async (scaling, bodies) => {
        const { events, made } = await play(scaling, bodies);
        expect(made.map(({ snapshot }) => snapshot)).toEqual(made.map((_, index) => index + 1));
        for (const { snapshot, reported } of made) {
          const { artifacts } = foldSnapshot(upTo(events, snapshot));
          if (isKnown(reported)) expect(linesOf([...artifacts.values()])).toEqual(linesOf(reported));
        }
      }),
    );
  });

  it('read the same from any full state as from the start', async () => {
    let states = 0;
    await fc.assert(
      fc.asyncProperty(fc.boolean(), manyReports, async (scaling, bodies) => {
        const { events, made } = await play(scaling, bodies);
        for (const { snapshot } of made) {
          const until = upTo(events, snapshot);
          const whole = foldSnapshot(until);
          until.forEach((event, index) => {
            if (event.type !== 'SnapshotStateKept') return;
            states += 1;
            // A commit is read whole: the full state lies behind the snapshot of its own commit.
            expect(foldSnapshot(until.slice(index - 1))).toEqual(whole);
          });
        }
      }),
      { numRuns: 15 },
    );
    expect(states).toBeGreaterThan(0);
  });

  it('say of each fingerprint once whether it came or went as a whole', async () => {
    await fc.assert(
      fc.asyncProperty(reports, async (bodies) => {
        const { events } = await play(false, bodies);
        let before = new Set<string>();
        for (const event of events) {
          if (event.type !== 'SnapshotRecorded') continue;
          const { artifacts } = foldSnapshot(upTo(events, event.data.snapshot));
          const after = new Set([...artifacts.values()].map(({ fingerprint }) => fingerprint));
          for (const { fingerprint, wholly, now } of event.data.changes) {
            expect(wholly).toBe(fingerprint !== '' && (now > 0 ? !before.has(fingerprint) : !after.has(fingerprint)));
          }
          before = after;
        }
      }),
    );
  });

  it('name replaced artifacts only among those that left, and only with replacements of the same snapshot', async () => {
    let replaced = 0;
    await fc.assert(
      fc.asyncProperty(reports, async (bodies) => {
        for (const event of (await play(false, bodies)).events) {
          if (event.type !== 'SnapshotRecorded') continue;
          const { changes } = event.data;
          const changed = new Set(changes.filter(({ change }) => change === 'changed').map(keyText));
          for (const { change, replacedBy, wholly } of changes) {
            if (replacedBy === null) continue;
            replaced += 1;
            expect([change, wholly, changed.has(keyText(replacedBy))]).toEqual(['exited', true, true]);
          }
        }
      }),
    );
    expect(replaced).toBeGreaterThan(0);
  });

  it('are counted by the aggregate state: the number of snapshots and of running artifacts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), reports, async (scaling, bodies) => {
        const { events, made } = await play(scaling, bodies);
        const aggregateState = environmentAfter(events).environment;
        expect(aggregateState.snapshot).toBe(made.length);
        expect(aggregateState.artifacts).toBe(foldSnapshot(events).artifacts.size);
      }),
    );
  });

  it('leave one document for each artifact that runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), reports, async (scaling, bodies) => {
        const { events } = await play(scaling, bodies);
        const projected = new Map<string, object>();
        let state = null;
        for (const [index, event] of events.entries()) {
          const meta = metaAt('environment', index + 1, PROD);
          state = environment.evolve(state, event, meta);
          for (const { collection, id, doc } of environment.inlineProjections?.(state, event, meta, null) ?? []) {
            if (collection.name !== 'running') continue;
            if (doc === null) projected.delete(id);
            else projected.set(id, { ...doc, startedAs: undefined });
          }
        }
        const expected = [...foldSnapshot(events).artifacts.values()].map(
          ({ fingerprint, name, instances, since, flows }) => ({
            org: 'acme',
            environment: 'prod',
            fingerprint,
            name,
            instances,
            since,
            known: flows.length,
            startedAs: undefined,
          }),
        );
        expect(byText([...projected.values()])).toEqual(byText(expected));
      }),
    );
  });
});

/** The events up to the commit that made a snapshot, full state included. */
function upTo(events: readonly EnvironmentEvent[], snapshot: number): readonly EnvironmentEvent[] {
  return events.filter((event) => !('snapshot' in event.data) || event.data.snapshot <= snapshot);
}

function byText(documents: readonly object[]): string[] {
  return documents.map((doc) => JSON.stringify(Object.entries(doc).sort())).sort();
}
