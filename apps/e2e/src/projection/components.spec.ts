import { readRange } from '@assurance/components/domain/versions/range';
import { artifactsWithComponents, findComponents } from '@assurance/components/read/components/find';
import { follow, type FollowedEvent } from '@assurance/components/read/components/follow';
import { INVENTORY_MAX, inventoryOf } from '@assurance/components/read/components/inventory';
import {
  componentRows,
  componentUses,
  countedArtifacts,
  partUses,
  sbomRows,
} from '@assurance/components/read/components/rows';
import { beginningsOf, endedAtBeginnings, runsOf } from '@assurance/components/read/components/runs';
import { countUnjudged, countUnjudgedAmong } from '@assurance/components/read/components/without-sbom';
import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { AttestationTarget, ListedComponent } from '@assurance/contracts/evidence/events';
import { follow as followDeployments } from '@assurance/deployments/read/deployments/follow';
import { departures, deployments } from '@assurance/deployments/read/deployments/rows';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { componentParts } from '@assurance/evidence/domain/component-parts';
import type { CollectionDefinition, Document, Documents } from '@assurance/storage-ports';
import fc from 'fast-check';
import { FINGERPRINTS, reports, snapshots, streamsOf } from '../support/deployment-streams';
import { batchSizes, cutIntoPieces, scheduleOperations, stoppedAfter } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

type FollowedRecord = RecordedEvent<FollowedEvent>;

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
function attested(trail: readonly FollowedRecord[], all: readonly Sbom[]): FollowedRecord[] {
  const [{ meta } = { meta: { org: '', stream: 'trail/x', seq: 0, at: 0, actor: '' } }] = trail;
  const sent = all.flatMap(({ of, name, libs, state }, i): FollowedRecord[] => {
    const at = { ...meta, seq: trail.length + i + 1 };
    const awaited = FINGERPRINTS[0]?.slice(0, 40) ?? '';
    const target: AttestationTarget =
      of === null
        ? { kind: 'awaited', template: 'web', commit: awaited }
        : { kind: 'artifact', fingerprint: of, artifactId: 'a', filename: 'web', template: 'web' };
    const components = state === 'unread' ? {} : { components: { listed: libs.length, left: state === 'cut' ? 1 : 0 } };
    const data = {
      id: `${meta.stream}-${i}`,
      name,
      type: 'sbom',
      countsAs: 'sbom',
      target,
      compliant: true,
      previous: null,
      overriddenId: null,
      typeVersion: null,
      control: null,
      commit: null,
      repo: null,
      originUrl: null,
      attachments: [],
      ...components,
    };
    const { parts } = componentParts(state === 'unread' ? [] : libs.map(component));
    return [
      { event: { type: 'AttestationReported', version: 1, data }, meta: at },
      ...parts.map((part): FollowedRecord => ({
        event: { type: 'ComponentsListed', version: 1, data: { components: part } },
        meta: at,
      })),
    ];
  });
  return [...trail, ...sent];
}

/** The answers of all queries of the view. */
async function answersOf(documents: Documents, org: string) {
  const names = (all: Iterable<ListedComponent>) => [...all].map(({ name }) => name).sort();
  const byName: unknown[] = [];
  for (const name of ['tea', 'cup', 'rim']) {
    const result = await findComponents(documents, org, { by: { name }, version: null, range: null });
    if (result === 'too-many') throw new Error('too many');
    const artifacts = await artifactsWithComponents(documents, org, result.matching);
    if (artifacts === 'too-many') throw new Error('too many');
    byName.push([name, [...artifacts.keys()].sort()]);
  }
  const byArtifact: unknown[] = [];
  for (const fingerprint of FINGERPRINTS) {
    const own = await inventoryOf(documents, org, [fingerprint]);
    if (own === 'too-many') throw new Error('too many');
    byArtifact.push([
      names(await own.readComponents(documents, org, own.keys)),
      await countUnjudgedAmong(documents, org, [fingerprint]),
    ]);
  }
  const counted = [
    await countUnjudged(documents, org, null, null),
    await countUnjudged(documents, org, [`${org}-e0`], null),
    await countUnjudged(documents, org, [`${org}-e0`, `${org}-e1`], `flow-of-${org}-t0`),
    await countUnjudged(documents, org, null, `flow-of-${org}-t1`),
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
            const [e0 = [], e1 = [], t0 = [], t1 = []] = streamsOf(org, environments, trails) as FollowedRecord[][];
            return [e0, e1, attested(t0, sent[0]), attested(t1, sent[1])];
          };
          const [orderly, shuffled] = [`orderly${run}`, `shuffled${run}`];
          for (const stream of streams(orderly)) await follow(engines().documents, stream);
          const documents = scheduleOperations(engines().documents, scheduler);
          const consumers = streams(shuffled).map(async (stream, i) => {
            const stopped = stoppedAfter(documents, stops[i] ?? 0);
            for (const some of cutIntoPieces(stream, sizes)) {
              await follow(stopped, some).catch(() => follow(documents, some));
            }
            // Again, as after a crash.
            await follow(documents, stream);
          });
          await scheduler.waitFor(Promise.all(consumers));
          expect(await answersOf(engines().documents, shuffled)).toEqual(await answersOf(engines().documents, orderly));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of an artifact that only ran are unknown, and it counts as without a bill of materials', async () => {
    const [[snapshot] = []] = streamsOf('ran', [[[FINGERPRINTS[0] ?? '']]], []);
    await follow(engines().documents, [snapshot as RecordedEvent<SnapshotRecorded>]);
    const counted = (where: Record<string, string>) =>
      engines()
        .documents.collection(countedArtifacts)
        .count({ ...where, sbom: 'none' });
    expect([await counted({ org: 'ran' }), await counted({ environment: 'ran-e0' })]).toEqual([1, 1]);
  });

  describe('of many artifacts with the same bill of materials', () => {
    const [ORG, ARTIFACTS, VERSIONS] = ['many', 101, 500];
    const fingerprints = Array.from({ length: ARTIFACTS }, (_, i) => i.toString(16).padStart(64, '0'));
    const question = { by: { name: 'tea' }, version: null, range: null };

    beforeAll(async () => {
      const { parts } = componentParts(
        Array.from({ length: VERSIONS }, (_, i) => ({
          ...component('tea'),
          version: `1.${i}`,
          purl: `pkg:npm/tea@1.${i}`,
        })),
      );
      const sbom = (of: string): Sbom => ({ of, name: 'bom', libs: [], state: 'read' });
      const events = fingerprints.flatMap((of, i): FollowedRecord[] => {
        const [reported] = attested([], [sbom(of)]);
        const meta = { org: ORG, stream: `trail/${ORG}-${i}`, seq: 1, at: 1, actor: 'x' };
        if (reported === undefined) return [];
        return [
          { ...reported, meta },
          ...parts.map((part): FollowedRecord => ({
            event: { type: 'ComponentsListed', version: 1, data: { components: part } },
            meta,
          })),
        ];
      });
      await follow(engines().documents, events);
    });

    it('are counted and shown for each component', async () => {
      const { documents } = engines();
      const inventory = await inventoryOf(documents, ORG, fingerprints);
      if (inventory === 'too-many') throw new Error('too many');
      expect(inventory.size).toBe(VERSIONS);
      const [key = ''] = inventory.keys;
      expect(await inventory.artifactsWith(key)).toEqual(fingerprints);
      expect(await inventory.readComponents(documents, ORG, [key])).toMatchObject([{ name: 'tea', version: '1.0' }]);
    });

    it.each(Object.keys(INVENTORY_MAX))('are not listed beyond the limit of %s', async (limit) => {
      const of = (max: number) =>
        inventoryOf(engines().documents, ORG, fingerprints, { ...INVENTORY_MAX, [limit]: max });
      expect(await of(50)).toBe('too-many');
    });

    it('are not searched where there are more pairs of an artifact and a component than one question goes through', async () => {
      const { documents } = engines();
      const result = await findComponents(documents, ORG, question);
      if (result === 'too-many') throw new Error('too many');
      expect(await artifactsWithComponents(documents, ORG, result.matching)).toBe('too-many');
    });
  });

  describe('of lists that differ in the version of one package', () => {
    const [ORG, VERSIONS] = ['versions', 20];
    const fingerprints = Array.from({ length: VERSIONS }, (_, i) => i.toString(16).padStart(64, '0'));
    afterEach(() => jest.restoreAllMocks());

    /** An artifact whose bill of materials has a version of tea beside a component that all have. */
    const artifactWith = (version: number, from: string): FollowedRecord[] => {
      const [of = ''] = fingerprints.slice(version);
      const [reported] = attested([], [{ of, name: 'bom', libs: [], state: 'read' }]);
      const meta = { org: ORG, stream: `trail/${from}`, seq: 1, at: 1, actor: 'x' };
      const tea = { ...component('tea'), version: `1.${version}`, purl: `pkg:npm/tea@1.${version}` };
      const { parts } = componentParts([tea, component('cup')]);
      if (reported === undefined) return [];
      const listed = parts.map((part): FollowedRecord => ({
        event: { type: 'ComponentsListed', version: 1, data: { components: part } },
        meta,
      }));
      return [{ ...reported, meta }, ...listed];
    };

    beforeAll(async () => {
      for (const version of fingerprints.keys())
        await follow(engines().documents, artifactWith(version, `${ORG}-${version}`));
    });

    it.each([
      { by: 'version', version: '1.7', range: null, expected: [7] },
      { by: 'range', version: null, range: '>=1.9,<1.12', expected: [9, 10, 11] },
    ])('are found by $by, and lists of other versions are not read', async ({ version, range, expected }) => {
      const { documents } = engines();
      const shapes: readonly CollectionDefinition<Document>[] = [componentUses, partUses, sbomRows];
      const read = shapes.map((shape) => jest.spyOn(documents.collection(shape), 'find'));
      const bounds = range === null ? null : readRange(range);
      if (typeof bounds === 'string' || bounds === undefined) throw new Error('no range');
      const result = await findComponents(documents, ORG, { by: { package: 'pkg:npm/tea' }, version, range: bounds });
      if (result === 'too-many') throw new Error('too many');
      const artifacts = await artifactsWithComponents(documents, ORG, result.matching);
      if (artifacts === 'too-many') throw new Error('too many');
      expect([...artifacts.keys()].sort()).toEqual(expected.map((i) => fingerprints[i]));
      const results = read.map(({ mock }) => Promise.all(mock.results.map(({ value }) => value as Promise<unknown[]>)));
      expect((await Promise.all(results)).map((finds) => finds.flat().length)).toEqual(read.map(() => expected.length));
    });

    it('are written once, and of a list that is there only who has it', async () => {
      const { documents } = engines();
      const shapes: readonly CollectionDefinition<Document>[] = [componentRows, componentUses, partUses];
      const written = shapes.map((shape) => {
        const spy = jest.spyOn(documents.collection(shape), 'write');
        return () => spy.mock.calls.reduce((sum, [writes]) => sum + writes.length, 0);
      });
      await follow(documents, artifactWith(0, `${ORG}-again`));
      expect(written.map((count) => count())).toEqual([0, 0, 1]);
    });
  });

  it('are gone from an environment that begins from nothing', async () => {
    const { documents } = engines();
    const [firstFingerprint = '', secondFingerprint = ''] = FINGERPRINTS;
    const [stream = []] = streamsOf(
      'afresh',
      [[[firstFingerprint], [secondFingerprint], [firstFingerprint, secondFingerprint]]],
      [],
    ) as FollowedRecord[][];
    const recorded = stream.map(({ event, meta }, i): RecordedEvent<SnapshotRecorded> => {
      const { data, ...rest } = event as SnapshotRecorded;
      return { event: { ...rest, data: i === 1 ? { ...data, afresh: 'server' } : data }, meta };
    });
    await follow(documents, recorded);
    await followDeployments(documents, recorded);
    const runs = await runsOf(
      { view: documents, states: documents },
      'afresh',
      [firstFingerprint, secondFingerprint],
      null,
    );
    if (runs === 'too-many') throw new Error('too many');
    const begun = await beginningsOf(documents, 'afresh', ['afresh-e0']);
    const results = [firstFingerprint, secondFingerprint].map((of) =>
      endedAtBeginnings(runs.get(of) ?? [], begun).map(({ from, until }) => [from, until]),
    );
    expect(results).toEqual([
      [
        [1, 2],
        [3, null],
      ],
      [[2, null]],
    ]);
  });

  it('ran in one environment, so that only its rows are read', async () => {
    const { documents } = engines();
    const [fingerprint = ''] = FINGERPRINTS;
    const streams = streamsOf(
      'places',
      [
        [[fingerprint], [], [fingerprint]],
        [[], [fingerprint], []],
      ],
      [],
    );
    await followDeployments(documents, streams.flat());
    const shapes: readonly CollectionDefinition<Document>[] = [deployments, departures];
    const read = shapes.map((shape) => jest.spyOn(documents.collection(shape), 'find'));
    const runs = await runsOf({ view: documents, states: documents }, 'places', [fingerprint], ['places-e0']);
    if (runs === 'too-many') throw new Error('too many');
    expect(runs.get(fingerprint)).toEqual([
      { environment: 'places-e0', from: 1, until: 2, isRunning: false },
      { environment: 'places-e0', from: 3, until: null, isRunning: false },
    ]);
    const results = read.map(({ mock }) => Promise.all(mock.results.map(({ value }) => value as Promise<unknown[]>)));
    expect((await Promise.all(results)).map((finds) => finds.flat().length)).toEqual([2, 1]);
  });

  it('of an environment without members are of no artifact', async () => {
    const { documents } = engines();
    const [[snapshot] = []] = streamsOf('empty', [[[FINGERPRINTS[0] ?? '']]], []);
    await follow(documents, [snapshot as RecordedEvent<SnapshotRecorded>]);
    const none = { withoutSbom: 0, incompleteSbom: 0, unmatchedComponents: 0 };
    expect(await countUnjudged(documents, 'empty', null, null)).toEqual({ ...none, withoutSbom: 1 });
    expect(await countUnjudged(documents, 'empty', [], null)).toEqual(none);
    expect(await countUnjudged(documents, 'empty', [], 'flow-of-empty')).toEqual(none);
  });
});
