import type { SnapshotChange } from '@assurance/contracts/environments/events';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { publicEventTypes, wrongIn } from '@assurance/testing/public-events';
import { publicEventsOf, type PublicFacts } from './public-events';

const [OLD, NEW] = ['ab'.repeat(32), 'cd'.repeat(32)];
const FACTS: PublicFacts = { organization: 'acme', name: 'shop', compliantBefore: null };
const SECRET = 'https://user:token@example.com';

const flow = { id: 'f-1', name: 'shop' };
const commit = { sha1: '1'.repeat(40), message: 'Sell', author: 'Ada <ada@example.com>', branch: 'main', url: SECRET };
const repo = { id: 'r-1', name: 'acme/shop', url: SECRET, provider: null };
const running = {
  artifactId: 'a-1',
  flow,
  trail: 'build-14',
  template: 'web',
  filename: 'web',
  gitCommit: commit.sha1,
  commitUrl: SECRET,
  buildUrl: SECRET,
  commit: { ...commit, timestamp: 1 },
  repo,
  reportedAt: 1,
  deploymentDiff: null,
  leadTime: 600.5,
};
const change = (fields: Partial<SnapshotChange>): SnapshotChange => ({
  fingerprint: NEW,
  name: 'web:2',
  instances: [1],
  flows: [running],
  compliant: true,
  since: { snapshot: 2, at: 0, deployedAt: 7.5 },
  change: 'started',
  was: 0,
  now: 1,
  wholly: true,
  replacedBy: null,
  ...fields,
});
const recorded = (changes: readonly SnapshotChange[], compliant?: boolean): DomainEvent => ({
  type: 'SnapshotRecorded',
  version: 1,
  data: {
    snapshot: 2,
    environment: 'production',
    type: 'docker',
    changes,
    ...(compliant === undefined ? {} : { judged: { compliant, policies: [], requireProvenance: false, heads: {} } }),
  },
});
const attested = (target: object, control: object | null = null): DomainEvent => ({
  type: 'AttestationReported',
  version: 1,
  data: {
    id: 't-1',
    name: 'scan',
    type: 'generic',
    countsAs: 'generic',
    target,
    compliant: false,
    previous: null,
    overriddenId: null,
    typeVersion: null,
    control,
    commit: null,
    repo,
    originUrl: SECRET,
    attachments: [],
  },
});
const begun = (of: object | null): DomainEvent => ({
  type: 'TrailBegun',
  version: 1,
  data: { flow, name: 'a/b', templateId: 't', commit: of, description: SECRET, userData: { password: SECRET } },
});
const emit = (stream: string, event: DomainEvent, facts: Partial<PublicFacts> = {}, id = 'c-1') =>
  publicEventsOf(id, { stream, at: 5 }, event, { ...FACTS, ...facts });

const ENV = 'environment/e-1';
const TRAIL = 'trail/f-1/a/b';
const CHANGES = [
  change({ change: 'changed', was: 3, kind: 'first' }),
  change({ fingerprint: '', name: 'unknown', wholly: false, flows: [], compliant: null }),
  change({ change: 'exited', fingerprint: OLD, now: 0, was: 3, replacedBy: { fingerprint: NEW, name: 'web:2' } }),
  change({ change: 'exited', fingerprint: OLD, name: 'alias', now: 0, wholly: false }),
  change({ change: 'scaled', wholly: false }),
  change({ change: 'updated-provenance', wholly: false }),
];
const ALL = [
  ...emit(ENV, recorded(CHANGES, false)),
  ...emit(TRAIL, begun({ ...commit, timestamp: 1 })),
  ...emit(TRAIL, begun(null)),
  ...emit(TRAIL, attested({ kind: 'trail' })),
  ...emit(TRAIL, attested({ kind: 'awaited', template: 'web', commit: commit.sha1 })),
  ...emit(
    TRAIL,
    attested(
      { kind: 'artifact', fingerprint: NEW, artifactId: 'a-1', filename: 'web', template: null },
      {
        identifier: 'C1',
        version: 1,
      },
    ),
  ),
  ...emit('policy/p-1', { type: 'PolicyCreated', version: 1, data: { id: 'p-1', name: 'shop', yaml: SECRET } }),
  ...emit('policy/p-1', { type: 'PolicyRevised', version: 1, data: { version: 2, comment: SECRET } }),
];

describe('what others are told', () => {
  it('is of every documented type but that of settings, and as its schema says', () => {
    const others = publicEventTypes().filter((type) => !type.includes('.settings.'));
    expect([...new Set(ALL.map(({ type }) => type))].sort()).toEqual(others);
    expect(ALL.flatMap(wrongIn)).toEqual([]);
  });

  it('holds no URLs, addresses or texts of people', () => {
    expect(JSON.stringify(ALL)).not.toMatch(/token|example\.com|Sell/);
  });

  it('counts an artifact under two names once, and none without a digest', () => {
    const [snapshot, ...rest] = emit(ENV, recorded(CHANGES, false));
    expect(snapshot?.data).toMatchObject({ artifacts_started: 1, artifacts_exited: 1, compliant: false });
    expect(rest.map(({ type, data }) => [type, (data as { artifact?: object }).artifact])).toEqual([
      ['assurance.artifact.started.v1', { fingerprint: NEW, name: 'web:2' }],
      ['assurance.artifact.exited.v1', { fingerprint: OLD, name: 'web:2' }],
      ['assurance.compliance.changed.v1', undefined],
    ]);
  });

  it('has the kind of a deployment where that is known', () => {
    const started = (fields: Partial<SnapshotChange>) => emit(ENV, recorded([change(fields)]))[1]?.data;
    expect(started({ kind: 'rollback' })).toMatchObject({ kind: 'rollback' });
    expect(started({})).not.toHaveProperty('kind');
  });

  it.each([
    [null, undefined, []],
    [null, true, [[null, true]]],
    [true, false, [[true, false]]],
    [false, false, []],
    [false, undefined, [[false, null]]],
  ])('tells that compliance %s is %s now', (compliantBefore, now, expected) => {
    const changes = emit(ENV, recorded([], now), { compliantBefore }).filter(({ type }) => type.includes('compliance'));
    expect(
      changes.map(({ data }) => data as Record<string, unknown>).map(({ was, compliant }) => [was, compliant]),
    ).toEqual(expected);
  });

  it('has ids of its own that are the same every time', () => {
    const ids = emit(ENV, recorded(CHANGES, false)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(
      emit(ENV, recorded(CHANGES.toReversed(), false))
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids.toSorted());
    expect(emit(ENV, recorded(CHANGES, false), {}, 'c-2').filter(({ id }) => ids.includes(id))).toEqual([]);
  });

  it('is nothing for other events', () => {
    expect(emit(ENV, { type: 'EnvironmentRenamed', version: 1, data: { name: 'b', previousName: 'a' } })).toEqual([]);
  });

  it('names organization, place and time', () => {
    const [event] = emit(TRAIL, begun(null), { organization: 'a c' });
    expect(event).toMatchObject({
      source: '/organizations/a%20c',
      key: 'a c',
      at: 5,
      subject: 'flows/shop/trails/a/b',
      data: { organization: 'a c', trail: 'a/b', git_commit: null },
    });
  });
});
