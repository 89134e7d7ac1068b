import type { EnvironmentRenamed, SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { EventMeta } from '@assurance/contracts/events/event';
import type { ArtifactReported, Provenance } from '@assurance/contracts/flows/events';
import type { FollowedEvent } from '@assurance/deployments/read/deployments/follow';
import type { RecordedEvent as At } from '@assurance/event-sourcing/projection/view';
import fc from 'fast-check';

export type RecordedEvent = At<FollowedEvent>;

export const FINGERPRINTS = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
/** The names. */
const names = { a: 'web', b: 'web', c: 'api' } as const;

export function nameOf(fingerprint: string): string {
  return `shop/${names[fingerprint[0] as 'a']}:${fingerprint[0] ?? ''}`;
}

/** Snapshots of one environment: in each, some fingerprints run. */
export const snapshots = fc.array(fc.subarray(FINGERPRINTS), { minLength: 1, maxLength: 6 });
/** Reports of one trail: which fingerprint, when. */
export const reports = fc.array(
  fc.record({ fingerprint: fc.constantFrom(...FINGERPRINTS), at: fc.integer({ min: 1, max: 5 }) }),
  {
    minLength: 1,
    maxLength: 3,
  },
);

/** The day on which all begins (epoch seconds): earlier times are unknown. */
export const BEGIN = 10_960 * 86_400;

/** Snapshots lie days and periods of days apart. */
export function deployedAt(snapshot: number): number {
  return BEGIN + 100 + snapshot * 20 * 86_400;
}

function environmentStream(
  id: string,
  runs: readonly (readonly string[])[],
  meta: Omit<EventMeta, 'stream' | 'seq' | 'at'>,
): RecordedEvent[] {
  return runs.map((now, i) => {
    const before = runs[i - 1] ?? [];
    /** Since when it runs now, or ran in the snapshot before. */
    const startOf = (fingerprint: string, last: number): number => {
      let start = last;
      while (runs[start - 1]?.includes(fingerprint) === true) start -= 1;
      return start;
    };
    const change = (
      fingerprint: string,
      arrived: boolean,
      start = startOf(fingerprint, arrived ? i : i - 1),
    ): SnapshotChange => ({
      fingerprint,
      name: nameOf(fingerprint),
      instances: [deployedAt(start)],
      since: { snapshot: start + 1, at: start, deployedAt: deployedAt(start) },
      flows: [],
      compliant: null,
      change: arrived ? 'started' : 'exited',
      was: arrived ? 0 : 1,
      now: arrived ? 1 : 0,
      wholly: true,
      replacedBy: null,
    });
    const changes = [
      ...now.filter((fingerprint) => !before.includes(fingerprint)).map((fingerprint) => change(fingerprint, true)),
      ...before.filter((fingerprint) => !now.includes(fingerprint)).map((fingerprint) => change(fingerprint, false)),
    ];
    const event: SnapshotRecorded = {
      type: 'SnapshotRecorded',
      version: 1,
      data: {
        snapshot: i + 1,
        environment: id,
        type: 'docker',
        changes,
        observedAt: deployedAt(i) * 1000,
        previousReportAt: i === 0 ? null : deployedAt(i - 1) * 1000,
      },
    };
    return { event, meta: { ...meta, stream: `environment/${id}`, seq: i + 1, at: 1000 * (i + 1) } };
  });
}

/** The same events as earlier versions wrote them: they do not say when what they show was observed. */
export function ofEarlierVersion(stream: readonly RecordedEvent[]): RecordedEvent[] {
  return stream.map(({ event, meta }) => {
    if (event.type !== 'SnapshotRecorded') return { event, meta };
    const { observedAt: _, previousReportAt: __, ...data } = event.data;
    return { event: { ...event, data }, meta };
  });
}

/** The same environment, renamed to and fro after each snapshot. */
export function renameEachSnapshot(stream: readonly RecordedEvent[]): RecordedEvent[] {
  let seq = 0;
  let name = '';
  return stream.flatMap(({ event, meta }) => {
    if (event.type !== 'SnapshotRecorded') return [];
    const [id, other] = [event.data.environment, `${event.data.environment}-too`];
    const previousName = name === '' ? id : name;
    name = previousName === id ? other : id;
    const recorded: SnapshotRecorded = { ...event, data: { ...event.data, environment: previousName } };
    const rename: EnvironmentRenamed = { type: 'EnvironmentRenamed', version: 1, data: { name, previousName } };
    return [recorded, rename].map((event) => ({ event, meta: { ...meta, seq: (seq += 1) } }));
  });
}

export function trailStream(
  id: string,
  all: readonly { readonly fingerprint: string; readonly at: number }[],
  meta: Omit<EventMeta, 'stream' | 'seq' | 'at'>,
): RecordedEvent[] {
  const first = new Map<string, Provenance>();
  return all.map(({ fingerprint, at }, i) => {
    const existing = first.get(fingerprint) ?? null;
    const provenance: Provenance = {
      artifactId: existing?.artifactId ?? `${id}-${fingerprint[0] ?? ''}`,
      flow: { id: `flow-of-${id}`, name: id },
      trail: id,
      template: 'web',
      filename: 'web',
      gitCommit: fingerprint.slice(0, 40),
      commitUrl: null,
      buildUrl: null,
      commit: null,
      repo: { id: `repo-of-${id}`, name: id, url: '', provider: 'github' },
      reportedAt: at + i * 10,
    };
    if (existing === null) first.set(fingerprint, provenance);
    const event: ArtifactReported = {
      type: 'ArtifactReported',
      version: 1,
      data: { fingerprint, provenance, first: existing, reported: String(i), externalUrls: {}, annotations: {} },
    };
    return { event, meta: { ...meta, stream: `trail/${id}`, seq: i + 1, at: at + i * 10 } };
  });
}

/** Streams in one, each in its own order. */
export function interleave<T>(streams: readonly (readonly T[])[], turns: Iterator<number>): T[] {
  const left = streams.map((stream) => [...stream]).filter(({ length }) => length > 0);
  const all: T[] = [];
  while (left.length > 0) {
    const turn = (turns.next().value as number) % left.length;
    const [nextEvent] = left[turn]?.splice(0, 1) ?? [];
    if (nextEvent !== undefined) all.push(nextEvent);
    if (left[turn]?.length === 0) left.splice(turn, 1);
  }
  return all;
}

/** Streams of environments and of trails, in one organization. */
export function streamsOf(
  org: string,
  environments: readonly (readonly (readonly string[])[])[],
  trails: readonly Parameters<typeof trailStream>[1][],
) {
  const meta = { org, actor: 'x' };
  return [
    ...environments.map((runs, i) => environmentStream(`${org}-e${i}`, runs, meta)),
    ...trails.map((all, i) => trailStream(`${org}-t${i}`, all, meta)),
  ];
}
