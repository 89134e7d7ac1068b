import fc from 'fast-check';
import type { Running } from '@assurance/contracts/environments/documents';
import type { ArtifactKey, SnapshotChange } from '@assurance/contracts/environments/events';
import { differenceOf, type Reported } from './difference';
import { runningAfter } from './judged';
import { decideRefresh, refreshedRunning } from './refresh';
import { byKey, keyText, runningOf } from './runs';

/** Few fingerprints and names, so that most meet; an unknown fingerprint is ''. */
const key = fc.record({
  fingerprint: fc.constantFrom('', 'aa', 'bb'),
  name: fc.constantFrom('web', 'api', 'db', 'job'),
});
const artifacts = fc.uniqueArray(
  fc
    .record({ key, instances: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }) })
    .map(({ key, instances }) => ({ ...key, instances })),
  { selector: keyText, maxLength: 12 },
);
const since = { snapshot: 1, at: 0, deployedAt: 0 };
const running = artifacts.map((all) => all.map((artifact): Running => ({ ...artifact, since, known: 0 })));
const changes = fc.array(
  fc.record({ key, now: fc.nat(2) }).map(({ key, now }) => {
    const change = { ...key, now, instances: Array<number>(now).fill(7), since, flows: [], compliant: null };
    return change as unknown as SnapshotChange;
  }),
  { maxLength: 12 },
);

describe('what runs', () => {
  it('after changes is what a map by artifact would hold, in its order', () =>
    fc.assert(
      fc.property(running, changes, (before, all) => {
        const after = new Map(before.map((artifact) => [keyText(artifact), artifact]));
        for (const change of all) {
          if (change.now === 0) after.delete(keyText(change));
          else after.set(keyText(change), runningOf(change));
        }
        expect(runningAfter(before, all)).toEqual([...after.values()]);
      }),
    ));

  it('differs from a report by fingerprint, by name where that is unknown, and by instances where they count', () =>
    fc.assert(
      fc.property(running, artifacts, fc.boolean(), (before, reported: readonly Reported[], scaling) => {
        const identity = ({ fingerprint, name }: ArtifactKey) => (fingerprint === '' ? `\n${name}` : fingerprint);
        const count = (all: readonly Reported[], of: ArtifactKey) =>
          all.reduce((sum, artifact) => sum + (identity(artifact) === identity(of) ? artifact.instances.length : 0), 0);
        const [was, is] = [new Set(before.map(identity)), new Set(reported.map(identity))];
        const difference = differenceOf(before, reported, scaling);
        expect(difference.started).toEqual(
          [...reported].sort(byKey).filter((artifact) => !was.has(identity(artifact))),
        );
        expect(difference.exited).toEqual(before.filter((artifact) => !is.has(identity(artifact))));
        const others = reported.filter(
          (artifact) => was.has(identity(artifact)) && count(before, artifact) !== count(reported, artifact),
        );
        const scaled = difference.scaled.map(({ now }) => identity(now));
        expect(new Set(scaled)).toEqual(new Set(scaling ? others.map(identity) : []));
      }),
    ));

  it('is what its report says, when it was refreshed: names and instances, and nothing that stopped or started', () =>
    fc.assert(
      fc.property(running, artifacts, (before, reported: readonly Reported[]) => {
        const { continued, renamed, exited, started } = differenceOf(before, reported, false);
        const refreshed = decideRefresh({ continued, renamed }) ?? { artifacts: [], dropped: [] };
        const after = refreshedRunning(before, refreshed);
        const [exitedKeys, startedKeys] = [new Set(exited.map(keyText)), new Set(started.map(keyText))];
        const textsOf = (all: readonly Reported[]) =>
          [...all].sort(byKey).map(({ instances, ...key }) => [keyText(key), instances]);
        expect(textsOf(after.filter((artifact) => !exitedKeys.has(keyText(artifact))))).toEqual(
          textsOf(reported.filter((artifact) => !startedKeys.has(keyText(artifact)))),
        );
        // Each start is remembered under one name.
        const starts = (all: readonly Running[]) =>
          all.flatMap(({ fingerprint, name, since, startedAs = [[name, since.snapshot]] }) =>
            startedAs.map(([as, snapshot]) => `${fingerprint} ${as} ${snapshot}`),
          );
        expect(starts(after).sort()).toEqual(starts(before).sort());
      }),
    ));
});
