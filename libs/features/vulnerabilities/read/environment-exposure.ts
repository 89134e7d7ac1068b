import { componentsView } from '@assurance/components/read/components/follow';
import { inventoryOf } from '@assurance/components/read/components/inventory';
import { type SbomState, scopedArtifacts, scopes } from '@assurance/components/read/components/rows';
import { LocatedArtifacts } from '@assurance/components/read/located-artifacts';
import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentExposure } from '@assurance/contracts/vulnerabilities/answers/exposure';
import { SEVERITIES } from '@assurance/contracts/vulnerabilities/events';
import type { DatedBucket } from '@assurance/deployments/read/buckets';
import { placesOf } from '@assurance/environments/domain/members';
import { environmentsById, findEnvironment } from '@assurance/environments/lookups/environments';
import { snapshotAt } from '@assurance/environments/read/snapshots/resolve';
import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import type { Refusal } from '@assurance/http';
import { queryBy } from '@assurance/http/queries';
import type { Caller } from '@assurance/http/query-caller';
import { err, ok, type Result, Slices } from '@assurance/kernel';
import { type Documents, foundPages } from '@assurance/storage-ports';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { DayCounts, type DayEnds, daysOf } from './exposed-days';
import { lastImportOf } from './last-import';
import { vulnerabilitiesView } from './vulnerabilities/follow';
import { matchedVulnerabilities, worst } from './vulnerabilities/groups';
import { artifactsOfScans } from './vulnerabilities/scanned';
import { importRows } from './vulnerabilities/rows';

const PAGE = 1_000;
/** The most artifacts that ran in an environment, and the most days of all members of a logical one together. */
const ARTIFACTS_MAX = 100_000;
const DAYS_MAX = 1_830;

/** To how many vulnerabilities an environment was exposed on some days, and now. */
export class GetEnvironmentExposure extends queryBy<
  {
    environment: string;
    timeZone: string;
    /** Oldest first; none of them begins after now. */
    days: readonly DatedBucket[];
  },
  Result<ViewAnswer<EnvironmentExposure>, Refusal>
>() {}

/** The days of artifacts as bits, and what is known of their components. */
interface Ran {
  readonly days: ReadonlyMap<string, bigint>;
  readonly states: ReadonlyMap<string, SbomState>;
  readonly behind: number;
}

@QueryHandler(GetEnvironmentExposure)
export class GetEnvironmentExposureHandler implements IQueryHandler<GetEnvironmentExposure> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly views: Views,
    private readonly located: LocatedArtifacts,
  ) {}

  async execute(query: GetEnvironmentExposure): Promise<Result<ViewAnswer<EnvironmentExposure>, Refusal>> {
    const { caller, days, timeZone } = query;
    const org = caller.org.id;
    const environment = await findEnvironment(this.ports, caller.org, query.environment);
    if (!environment.ok) return environment;
    const places = placesOf(environment.value);
    if (places.length * days.length > DAYS_MAX) {
      const most = Math.floor(DAYS_MAX / places.length);
      return err(invalid(`This environment has ${places.length} members: ask for at most ${most} days at once`));
    }
    const ran = await this.ran(caller, places, days);
    if (ran === 'too-many') {
      return err({ kind: 'invalid', errors: { env: 'More artifacts ran there than one answer can be made of' } });
    }
    const marked = await this.views.read(componentsView, caller, async (documents) => {
      const inventory = await inventoryOf(documents, org, [...ran.days.keys()]);
      return inventory === 'too-many' ? inventory : await inventory.marked(ran.days);
    });
    const seen = await this.views.read(vulnerabilitiesView, caller, async (documents) => ({
      all: await matchedVulnerabilities(documents, org, 0),
      last: await documents.collection(importRows).get(org),
    }));
    const [daysWith, { all, last }] = [marked.value, seen.value];
    if (daysWith === 'too-many' || all === 'too-many') {
      return err(invalid('More components ran there than one answer can be made of. Ask for a shorter time'));
    }
    const scanned = await this.views.read(componentsView, caller, (documents) => artifactsOfScans(documents, all));
    const counts = new DayCounts(days.length + 1);
    const slices = new Slices();
    for (const vulnerability of all) {
      const { matches, found } = vulnerability;
      let bits = 0n;
      for (const purl of matches.keys()) {
        await slices.pause();
        bits |= daysWith(purl);
      }
      for (const { scan } of found.flatMap((one) => one.scans)) {
        await slices.pause();
        for (const fingerprint of scanned.value.get(scan) ?? []) bits |= ran.days.get(fingerprint) ?? 0n;
      }
      if (bits !== 0n) counts.add(SEVERITIES[worst(vulnerability) - 1] ?? 'unknown', bits);
    }
    for (const [fingerprint, bits] of ran.days) {
      await slices.pause();
      const state = ran.states.get(fingerprint) ?? 'none';
      if (state === 'cut') counts.add('incomplete_sbom', bits);
      else if (state !== 'read') counts.add('without_sbom', bits);
    }
    const value: EnvironmentExposure = {
      ...{ environment: environment.value.name, time_zone: timeZone },
      last_import: await lastImportOf(this.ports.documents, last),
      now: counts.on(days.length),
      days: days.map(({ date, from, to }, day) => ({ date, start: from, end: to, ...counts.on(day) })),
    };
    return ok({ value, behind: Math.max(ran.behind, marked.behind, seen.behind) });
  }

  /** The artifacts that ran on any of the days, or run now. */
  private async ran(
    caller: Caller,
    places: readonly string[],
    days: readonly DatedBucket[],
  ): Promise<Ran | 'too-many'> {
    const artifacts = await this.views.read(componentsView, caller, (documents) => artifactsOf(documents, places));
    if (artifacts.value === 'too-many') return 'too-many';
    const period = { from: (days[0]?.from ?? 0) * 1_000, to: null };
    const runs = await this.located.runsIn(caller, [...artifacts.value.keys()], places, period);
    if (runs === 'too-many') return 'too-many';
    const ends = new Map<string, readonly DayEnds[]>();
    for (const one of (await environmentsById(this.ports.documents, places)).values()) {
      ends.set(one.id, await this.endsOf(one, days));
    }
    const bits = new Map<string, bigint>();
    const slices = new Slices();
    for (const [fingerprint, own] of runs.value) {
      await slices.pause();
      const of = daysOf(own, ends);
      if (of !== 0n) bits.set(fingerprint, of);
    }
    return { days: bits, states: artifacts.value, behind: Math.max(artifacts.behind, runs.behind) };
  }

  private async endsOf(environment: Environment, days: readonly DatedBucket[]): Promise<readonly DayEnds[]> {
    const times = days.flatMap(({ from, to }) => [from * 1_000, to * 1_000 - 1]);
    const inForce = await snapshotsAt(times, (at) => snapshotAt(this.ports.events, environment, at));
    return days.map((_, day) => ({ first: inForce[2 * day] ?? 0, last: inForce[2 * day + 1] ?? 0 }));
  }
}

function invalid(problem: string): Refusal {
  return { kind: 'invalid', errors: { start_ts: problem } };
}

/** The artifacts that ever ran in some environments; `too-many` beyond the limit. */
async function artifactsOf(
  documents: Documents,
  places: readonly string[],
): Promise<ReadonlyMap<string, SbomState> | 'too-many'> {
  const states = new Map<string, SbomState>();
  for (const scope of places.map(scopes.environment)) {
    for await (const page of foundPages(documents.collection(scopedArtifacts), { where: { scope } }, PAGE)) {
      for (const { doc } of page) states.set(doc.fingerprint, doc.sbom);
      if (states.size > ARTIFACTS_MAX) return 'too-many';
    }
  }
  return states;
}

/** The snapshots in force at some times, ascending. Between two times with one snapshot nothing is read. */
async function snapshotsAt(
  times: readonly number[],
  snapshotIn: (at: number) => Promise<number>,
): Promise<readonly number[]> {
  const last = times.length - 1;
  const inForce = new Map<number, number>();
  for (const end of [0, last]) inForce.set(end, await snapshotIn(times[end] ?? 0));
  const ranges: (readonly [low: number, high: number])[] = [[0, last]];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [low, high] = range;
    if (high - low < 2) continue;
    const [before, after] = [inForce.get(low) ?? 0, inForce.get(high) ?? 0];
    const middle = Math.floor((low + high) / 2);
    inForce.set(middle, before === after ? before : await snapshotIn(times[middle] ?? 0));
    ranges.push([low, middle], [middle, high]);
  }
  return times.map((_, at) => inForce.get(at) ?? 0);
}
