import { artifactsWith, componentsOf, findComponents } from '@assurance/components/read/components/find';
import { follow, type FollowedEvent } from '@assurance/components/read/components/follow';
import { scopedArtifacts, scopes } from '@assurance/components/read/components/rows';
import { unjudgedIn, unjudgedOf } from '@assurance/components/read/components/without-sbom';
import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { AttestationTarget, ListedComponent } from '@assurance/contracts/evidence/events';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { componentParts } from '@assurance/evidence/domain/component-parts';
import type { Documents } from '@assurance/storage-ports';
import fc from 'fast-check';
import { FINGERPRINTS, reports, snapshots, streamsOf } from '../support/deployment-streams';
import { batchSizes, cut, scheduled, stoppedAfter } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

type Recorded = RecordedEvent<FollowedEvent>;

/** A bill of materials of a spec. */
interface Sbom {
  /** Of this fingerprint; else of what is awaited. */
  readonly of: string | null;
  readonly name: string;
  readonly libs: readonly string[];
  readonly state: 'unread' | 'cut' | 'read';
}

const sboms = fc.array(
  fc.record({
    of: fc.constantFrom(null, ...FINGERPRINTS),
    name: fc.constantFrom('bom', 'scan'),
    libs: fc.subarray(['tea', 'cup', 'rim']),
    state: fc.constantFrom('unread', 'cut', 'read'),
  }) satisfies fc.Arbitrary<Sbom>,
  { maxLength: 4 },
);

const component = (name: string) => ({ name, version: '1.0', purl: `pkg:npm/${name}@1.0`, sha256: null });

/** The same trail with bills of materials behind its reports. */
function attested(trail: readonly Recorded[], all: readonly Sbom[]): Recorded[] {
  const [{ meta } = { meta: { org: '', stream: 'trail/x', seq: 0, at: 0, actor: '' } }] = trail;
  const sent = all.flatMap(({ of, name, libs, state }, i): Recorded[] => {
    const at = { ...meta, seq: trail.length + i + 1 };
    const awaited = FINGERPRINTS[0]?.slice(0, 40) ?? '';
    const target: AttestationTarget =
      of === null
        ? { kind: 'awaited', template: 'web', commit: awaited }
        : { kind: 'artifact', fingerprint: of, artifactId: 'a', filename: 'web', template: 'web' };
    const components = state === 'unread' ? {} : { components: { listed: libs.length, left: state === 'cut' ? 1 : 0 } };
    const data = {
      ...{ id: `${meta.stream}-${i}`, name, type: 'sbom', countsAs: 'sbom', target, compliant: true, previous: null },
      ...{ overriddenId: null, typeVersion: null, control: null, commit: null, repo: null, originUrl: null },
      ...{ attachments: [], ...components },
    };
    const { parts } = componentParts(state === 'unread' ? [] : libs.map(component));
    return [
      { event: { type: 'AttestationReported', version: 1, data }, meta: at },
      ...parts.map((part): Recorded => ({
        event: { type: 'ComponentsListed', version: 1, data: { components: part } },
        meta: at,
      })),
    ];
  });
  return [...trail, ...sent];
}

/** All that queries tell of the view. */
async function told(documents: Documents, org: string) {
  const names = (all: Iterable<ListedComponent>) => [...all].map(({ name }) => name).sort();
  const byName: unknown[] = [];
  for (const name of ['tea', 'cup', 'rim']) {
    const found = await findComponents(documents, org, { by: { name }, version: null, range: null });
    if (found === 'too-many') throw new Error('too many');
    const artifacts = await artifactsWith(documents, org, found.matching);
    if (artifacts === 'too-many') throw new Error('too many');
    byName.push([name, [...artifacts.keys()].sort()]);
  }
  const byArtifact: unknown[] = [];
  for (const fingerprint of FINGERPRINTS) {
    const own = await componentsOf(documents, org, [fingerprint]);
    if (own === 'too-many') throw new Error('too many');
    byArtifact.push([
      names([...own.values()].map((one) => one.component)),
      await unjudgedOf(documents, org, [fingerprint]),
    ]);
  }
  const counted = [
    await unjudgedIn(documents, org, null, null),
    await unjudgedIn(documents, org, [`${org}-e0`], null),
    await unjudgedIn(documents, org, [`${org}-e0`, `${org}-e1`], `flow-of-${org}-t0`),
    await unjudgedIn(documents, org, null, `flow-of-${org}-t1`),
  ];
  return { byName, byArtifact, counted };
}

describe('components', () => {
  const engines = temporaryEngines();
  let run = 0;

  it('are the same however consumers interleave, stop and repeat', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(snapshots, snapshots),
        fc.tuple(reports, reports),
        fc.tuple(sboms, sboms),
        fc.array(fc.nat({ max: 40 }), { minLength: 4, maxLength: 4 }),
        batchSizes,
        fc.scheduler(),
        async (environments, trails, sent, stops, sizes, scheduler) => {
          run += 1;
          const streams = (org: string) => {
            const [e0 = [], e1 = [], t0 = [], t1 = []] = streamsOf(org, environments, trails) as Recorded[][];
            return [e0, e1, attested(t0, sent[0]), attested(t1, sent[1])];
          };
          const [orderly, shuffled] = [`orderly${run}`, `shuffled${run}`];
          for (const stream of streams(orderly)) await follow(engines().documents, stream);
          const documents = scheduled(engines().documents, scheduler);
          const consumers = streams(shuffled).map(async (stream, i) => {
            const stopped = stoppedAfter(documents, stops[i] ?? 0);
            for (const some of cut(stream, sizes)) {
              await follow(stopped, some).catch(() => follow(documents, some));
            }
            // Again, as after a crash.
            await follow(documents, stream);
          });
          await scheduler.waitFor(Promise.all(consumers));
          expect(await told(engines().documents, shuffled)).toEqual(await told(engines().documents, orderly));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of an artifact that only ran are unknown, and it counts as without a bill of materials', async () => {
    const [[snapshot] = []] = streamsOf('ran', [[[FINGERPRINTS[0] ?? '']]], []);
    await follow(engines().documents, [snapshot as RecordedEvent<SnapshotRecorded>]);
    const of = (scope: string) => engines().documents.collection(scopedArtifacts).count({ scope, sbom: 'none' });
    expect([await of(scopes.organization('ran')), await of(scopes.environment('ran-e0'))]).toEqual([1, 1]);
  });
});
