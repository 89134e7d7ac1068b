/** Seeded random histories of one environment, small enough to read when a property fails. */
import type { ModelItem, ModelOrigin, ModelReport, ModelWorkload } from './model';

export interface History {
  readonly reports: readonly ModelReport[];
  readonly originOf: (fingerprint: string) => ModelOrigin | null;
}
/** One history in which a line is away now and then, and the same in which it never is. */
export interface GapHistory {
  readonly withGap: History;
  readonly withoutGap: History;
}

const HOUR = 3_600;
const DAY = 86_400;
const FIRST_REPORT = 1_700_000_000;
const INTERVALS = [60, HOUR, 3 * HOUR, 12 * HOUR, DAY, DAY + 1, 30 * HOUR, 72 * HOUR];
const DEPLOYMENTS = ['shop/deployment/web', 'shop/deployment/api', 'blue/deployment/web', 'cluster/service/web'];
const CRONJOBS = ['shop/cronjob/web', 'blue/cronjob/mail'];
const WORKLOADS: readonly ModelWorkload[] = [
  ...DEPLOYMENTS.map((id) => ({ id, isJob: false })),
  ...CRONJOBS.map((id) => ({ id, isJob: true })),
];

/** A random source (mulberry32): the same seed gives the same numbers. */
function randomOf(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const chance = (probability: number): boolean => next() < probability;
  const pick = <T>(choices: readonly T[]): T => choices[between(0, choices.length - 1)]!;
  return { between, chance, pick };
}
type Random = ReturnType<typeof randomOf>;

interface Artifact {
  readonly fingerprint: string;
  readonly name: string;
  readonly origin: ModelOrigin | null;
}

/** Whether reports of a history name workloads: never, always or now and then. */
type Naming = 'never' | 'always' | 'sometimes';

function randomArtifacts(
  random: Random,
  fingerprints: readonly string[],
  baseNames: readonly string[],
  repos: readonly (string | null)[],
): Artifact[] {
  const origin = (): ModelOrigin => ({
    repo: random.pick(repos),
    flow: random.pick([null, 'build', 'release']),
    template: random.pick([null, 'app', 'tool']),
  });
  return fingerprints.map((fingerprint, version) => ({
    fingerprint,
    name: `${random.pick(baseNames)}:${version + 1}`,
    origin: repos.length === 0 ? null : random.pick([null, origin(), origin(), origin()]),
  }));
}

function randomWorkloads(random: Random, naming: Naming): ModelWorkload[] | null {
  if (naming === 'never' || (naming === 'sometimes' && random.chance(0.4))) return null;
  const chosen = WORKLOADS.filter(() => random.chance(0.3));
  return chosen.length > 0 ? chosen : [random.pick(WORKLOADS)];
}

/** An item whose start is unknown (the report's time), old, or in the later half of the interval before the report. */
function randomItem(
  random: Random,
  { fingerprint, name }: Artifact,
  at: number,
  interval: number,
  naming: Naming,
): ModelItem {
  const workloads = randomWorkloads(random, naming);
  const namespaces = workloads?.flatMap(({ id }) => (id.startsWith('cluster/') ? [] : [id.split('/')[0]!])) ?? [];
  return {
    fingerprint,
    name,
    workloads,
    startedAt: random.pick([at, at - 10 * DAY, at - random.between(1, Math.max(1, Math.floor(interval / 2)))]),
    namespaces: namespaces.length === 0 ? null : [...new Set(namespaces)],
  };
}

/** Moves an item to another report without changing its place; its start is unknown there. */
const moved = (item: ModelItem, at: number): ModelItem => ({ ...item, startedAt: at });
const keyOf = (items: readonly { readonly fingerprint: string }[]): string =>
  items.map((item) => item.fingerprint).join();

/** What of `artifacts` runs next: mostly one comes or one leaves; seldom all, none or any. */
function randomRunning(random: Random, artifacts: readonly Artifact[], before: readonly ModelItem[]): Artifact[] {
  const runs = (artifact: Artifact): boolean => before.some((item) => item.fingerprint === artifact.fingerprint);
  if (random.chance(0.1)) return [];
  if (random.chance(0.1)) return [...artifacts];
  if (random.chance(0.2)) return artifacts.filter(() => random.chance(0.5));
  const other = random.pick(artifacts);
  return artifacts.filter((artifact) => runs(artifact) !== (artifact === other));
}

/** Reports of `artifacts` at the given times. With `isSteady`, places change only together with what runs. */
function randomReports(
  random: Random,
  artifacts: readonly Artifact[],
  times: readonly number[],
  naming: Naming,
  isSteady: boolean,
): ModelReport[] {
  const reports: ModelReport[] = [];
  times.forEach((at, i) => {
    const before = reports.at(-1)?.items ?? [];
    const running =
      i > 0 && random.chance(0.1)
        ? artifacts.filter(({ fingerprint }) => keyOf(before).split(',').includes(fingerprint))
        : randomRunning(random, artifacts, before);
    const isUnchanged = i > 0 && keyOf(running) === keyOf(before);
    const interval = i === 0 ? DAY : at - times[i - 1]!;
    const items =
      isSteady && isUnchanged
        ? before.map((item) => moved(item, at))
        : running.map((artifact) => randomItem(random, artifact, at, interval, naming));
    reports.push({ at, items });
  });
  return reports;
}

function randomTimes(random: Random, count: number, intervals = INTERVALS): number[] {
  const times = [FIRST_REPORT];
  while (times.length < count) times.push(times.at(-1)! + random.pick(intervals));
  return times;
}

function historyOf(reports: readonly ModelReport[], artifacts: readonly Artifact[]): History {
  return {
    reports,
    originOf: (fingerprint) => artifacts.find((artifact) => artifact.fingerprint === fingerprint)?.origin ?? null,
  };
}

/** 3 to 12 reports of 1 to 5 fingerprints; one history in five has revivals. */
export function randomHistory(seed: number): History {
  const random = randomOf(seed);
  const isMixed = random.chance(0.5);
  const artifacts = randomArtifacts(
    random,
    ['A', 'B', 'C', 'D', 'E'].slice(0, random.between(1, 5)),
    isMixed
      ? ['web', 'api', 'docker.io/library/web', 'registry:5000/web', 'arn:aws:lambda:eu-west-1:1:function:web']
      : ['web'],
    isMixed ? ['shop', 'blog', null] : [],
  );
  const naming = random.pick<Naming>(['never', 'always', 'sometimes']);
  const hasRevivals = random.chance(0.2);
  const reports = randomReports(
    random,
    artifacts,
    randomTimes(random, random.between(3, 12)),
    naming,
    random.chance(0.5),
  );
  return historyOf(
    hasRevivals
      ? reports.map((report, i) => (i > 0 && random.chance(0.2) ? { ...report, revival: true } : report))
      : reports,
    artifacts,
  );
}

/**
 * Two histories that differ only in the absences of one line, A to C, in their later reports. Each absence lasts a day
 * at most and ends with what ran before, in the same places. Another line, X and Y, goes its own way in both.
 * Places change only together with what runs, so that an absence makes no snapshot that says more than another.
 */
export function randomGapHistory(seed: number): GapHistory {
  const random = randomOf(seed);
  const naming = random.pick<Naming>(['never', 'never', 'always', 'sometimes']);
  const line = randomArtifacts(
    random,
    ['A', 'B', 'C', 'D'].slice(0, random.between(1, 4)),
    ['web'],
    random.chance(0.5) ? [] : ['shop', null],
  );
  const others = randomArtifacts(
    random,
    ['X', 'Y'].slice(0, random.between(0, 2)),
    ['api'],
    random.chance(0.5) ? [] : ['blog', null],
  );
  const before = random.between(1, 5);
  const times = randomTimes(
    random,
    before + random.between(2, 7),
    INTERVALS.slice(0, random.between(4, INTERVALS.length)),
  );
  const early = randomReports(random, line, times.slice(0, before), naming, true);
  const elsewhere =
    others.length === 0 ? times.map((at) => ({ at, items: [] })) : randomReports(random, others, times, naming, true);
  const settled = early.at(-1)!.items;
  const absentSince = new Map<string, number>();
  const isAway = ({ fingerprint }: ModelItem, i: number): boolean => {
    const since = absentSince.get(fingerprint) ?? times[i]!;
    const mayBeAway = i >= before && i + 1 < times.length && times[i + 1]! - since <= DAY;
    const isAbsent = mayBeAway && random.chance(0.5);
    if (isAbsent) absentSince.set(fingerprint, since);
    else absentSince.delete(fingerprint);
    return isAbsent;
  };
  const reportsWith = (lineAt: (i: number) => readonly ModelItem[]): ModelReport[] =>
    times.map((at, i) => ({
      at,
      items: [...(early[i]?.items ?? lineAt(i).map((item) => moved(item, at))), ...elsewhere[i]!.items],
    }));
  const all = [...line, ...others];
  return {
    withGap: historyOf(
      reportsWith((i) => settled.filter((item) => !isAway(item, i))),
      all,
    ),
    withoutGap: historyOf(
      reportsWith(() => settled),
      all,
    ),
  };
}

/** A history on one line, such as `[A@web] +3h [A,B] revived [B]`. */
export function textOfHistory({ reports, originOf }: History): string {
  const itemText = ({ fingerprint, workloads, startedAt }: ModelItem, at: number): string =>
    fingerprint +
    (workloads ? `@${workloads.map(({ id }) => id).join('&')}` : '') +
    (startedAt < at ? `(${startedAt - at}s)` : '');
  const text = reports.map(
    ({ at, items, revival }, i) =>
      `${i > 0 ? `+${at - reports[i - 1]!.at}s ` : ''}${revival ? 'revived ' : ''}[${items.map((item) => itemText(item, at)).join()}]`,
  );
  const artifacts = [
    ...new Map(reports.flatMap(({ items }) => items.map((item) => [item.fingerprint, item.name] as const))),
  ];
  const origins = artifacts.map(([fingerprint, name]) => {
    const origin = originOf(fingerprint);
    return `${fingerprint}=${name} ${origin === null ? 'no provenance' : `${origin.repo}/${origin.flow}/${origin.template}`}`;
  });
  return `${text.join(' ')} | ${origins.join(' | ')}`;
}
