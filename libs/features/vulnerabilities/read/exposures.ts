import type { Run } from '@assurance/components/read/components/runs';
import { componentsView } from '@assurance/components/read/components/follow';
import type { ComponentLocation } from '@assurance/components/read/components/parts';
import { rootsOf } from '@assurance/components/read/components/without-sbom';
import { LocatedArtifacts } from '@assurance/components/read/located-artifacts';
import { SEVERITIES } from '@assurance/contracts/vulnerabilities/events';
import type {
  ExposedEnvironment,
  VexStates as StateCounts,
  VulnerabilityAnswer,
  VulnerabilityItem,
} from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import { environmentsById } from '@assurance/environments/lookups/environments';
import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import type { Caller } from '@assurance/http/query-caller';
import { addTo, compareTexts, getOrInsert, Slices } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import {
  artifactsWithPurls,
  type ExposedPeriod,
  type Exposure,
  exposedPeriods,
  exposuresOf,
} from './vulnerabilities/exposed';
import { artifactsOfScans, type ExposedArtifact, exposedTo, sourcesOf } from './vulnerabilities/scanned';
import { type Vulnerability, worst } from './vulnerabilities/groups';
import { VexStates } from './vulnerabilities/vex-states';
import type { StatementRow } from './vulnerabilities/rows';

/** The most environments and aliases in an answer. */
const SHOWN_MAX = 100;

/** Artifacts with some components or findings, and where they ran. */
export interface ArtifactLocations {
  /** The artifacts with any of the components, by fingerprint, ascending. */
  readonly artifacts: ReadonlyMap<string, readonly ComponentLocation[]>;
  /** Artifacts by the keys of scanner reports. */
  readonly scanned: ReadonlyMap<string, readonly string[]>;
  readonly runs: ReadonlyMap<string, readonly Run[]>;
}

/** Finds the artifacts that have vulnerabilities, and where they run. */
@Injectable()
export class Exposures {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly views: Views,
    private readonly located: LocatedArtifacts,
  ) {}

  /** Finds the artifacts that have some vulnerabilities. */
  async locate(caller: Caller, all: readonly Vulnerability[]): Promise<ViewAnswer<ArtifactLocations> | 'too-many'> {
    const purls = new Set(all.flatMap(({ matches }) => [...matches.keys()]));
    const { value: listed, behind } = await this.views.read(componentsView, caller, async (documents) => {
      const artifacts = await artifactsWithPurls(documents, caller.org.id, purls);
      return artifacts === 'too-many'
        ? artifacts
        : { value: artifacts, scanned: await artifactsOfScans(documents, all) };
    });
    if (listed === 'too-many') return listed;
    const { value, scanned } = listed;
    const fingerprints = [...new Set([...value.keys(), ...[...scanned.values()].flat()])].sort();
    const runs = await this.located.runsIn(caller, fingerprints, null, null);
    if (runs === 'too-many') return runs;
    const artifacts = new Map([...value].sort(([a], [b]) => compareTexts(a, b)));
    return { value: { artifacts, scanned, runs: runs.value }, behind: Math.max(behind, runs.behind) };
  }

  /** Returns the names by which statements know artifacts, from the bills of materials of these. It reads nothing without statements. */
  async rootsOf(
    caller: Caller,
    statements: ReadonlyMap<string, unknown>,
    exposed: readonly ExposedArtifact[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    if (statements.size === 0) return new Map();
    const fingerprints = exposed.map(({ fingerprint }) => fingerprint);
    const read = (documents: Ports['documents']) => rootsOf(documents, caller.org.id, fingerprints);
    return (await this.views.read(componentsView, caller, read)).value;
  }

  /** Returns the newest 100 periods in which an environment was exposed to any of these artifacts. */
  async periodsOf(
    exposed: readonly ExposedArtifact[],
    { runs }: ArtifactLocations,
  ): Promise<VulnerabilityAnswer['exposures']> {
    const fingerprints = new Set(exposed.map(({ fingerprint }) => fingerprint));
    const periods = exposedPeriods(fingerprints, runs).slice(0, SHOWN_MAX);
    const ids = new Set(periods.map(({ environment }) => environment));
    const byId = await environmentsById(this.ports.documents, [...ids]);
    const timeOf = ({ environment }: ExposedPeriod, snapshot: number) => this.located.timeOf(environment, snapshot);
    return Promise.all(
      periods.map(async (one) => ({
        environment: byId.get(one.environment)?.name ?? one.environment,
        first_snapshot: one.first,
        exposed_since: (await timeOf(one, one.first)) ?? 0,
        gone_snapshot: one.goneSnapshot,
        gone_at: one.goneSnapshot === null ? null : await timeOf(one, one.goneSnapshot),
      })),
    );
  }

  /** Returns the artifacts that have each vulnerability, in the order of the vulnerabilities. */
  async exposedTo(
    all: readonly Vulnerability[],
    located: ArtifactLocations,
  ): Promise<readonly (readonly ExposedArtifact[])[]> {
    const byPurl = new Map<string, Pick<ExposedArtifact, 'fingerprint' | 'place'>[]>();
    const slices = new Slices();
    for (const [fingerprint, places] of located.artifacts) {
      for (const place of places) {
        await slices.pause();
        addTo(byPurl, place.key, { fingerprint, place });
      }
    }
    const exposed: (readonly ExposedArtifact[])[] = [];
    for (const one of all) exposed.push(await exposedTo(one, byPurl, located.scanned));
    return exposed;
  }

  /** Builds the rows of a page of vulnerabilities. @param exposed as `exposedTo` returns them */
  async itemsOf(
    all: readonly Vulnerability[],
    exposed: readonly (readonly ExposedArtifact[])[],
    { runs }: ArtifactLocations,
    statements: ReadonlyMap<string, readonly StatementRow[]>,
    roots: ReadonlyMap<string, readonly string[]>,
  ): Promise<VulnerabilityItem[]> {
    const items: VulnerabilityItem[] = [];
    const times = new Map<string, Promise<number | null>>();
    for (const [i, one] of all.entries()) {
      items.push(await this.itemOf(one, exposed[i] ?? [], runs, new VexStates(one, statements, roots), times));
    }
    return items;
  }

  private async itemOf(
    vulnerability: Vulnerability,
    exposed: readonly ExposedArtifact[],
    runs: ArtifactLocations['runs'],
    states: VexStates,
    times: Map<string, Promise<number | null>>,
  ): Promise<VulnerabilityItem> {
    const { id, aliases, linked, matches, findings } = vulnerability;
    const entries = vulnerability.entries.length > 0 || findings.length > 0 ? vulnerability.entries : linked;
    const fingerprints = new Set(exposed.map(({ fingerprint }) => fingerprint));
    const exposures = exposuresOf(fingerprints, runs);
    const valid = entries.filter(({ withdrawn }) => withdrawn === null);
    const shown = valid.length === 0 && findings.length === 0 ? entries : valid;
    const reported = exposed.flatMap((one) => one.findings);
    const matched = new Set([...matches.values()].flatMap((match) => match.entries));
    const published = [...shown, ...findings.map(({ finding }) => finding)].flatMap((one) => one.published ?? []);
    return {
      id,
      aliases: aliases.slice(0, SHOWN_MAX),
      severity: SEVERITIES[worst({ entries: shown, findings }) - 1] ?? null,
      summary: summaryOf({ id, entries: shown, findings }),
      sources: sourcesOf(
        [...vulnerability.entries, ...linked].filter((entry) => matched.has(entry.id)),
        reported,
      ),
      published: published.length === 0 ? null : published.reduce((a, b) => Math.min(a, b)) / 1_000,
      modified: newestOf(vulnerability, shown) / 1_000,
      exposed: exposures.some(({ isExposed }) => isExposed),
      artifact_count: fingerprints.size,
      environment_count: exposures.length,
      environments: await this.environmentsOf(exposures, times),
      vex: await countsOf(exposed, states),
    };
  }

  private async environmentsOf(
    exposures: readonly Exposure[],
    times: Map<string, Promise<number | null>>,
  ): Promise<ExposedEnvironment[]> {
    const ids = exposures.map(({ environment }) => environment);
    const byId = await environmentsById(this.ports.documents, ids);
    const nameOf = ({ environment }: Exposure) => byId.get(environment)?.name ?? environment;
    const timeOf = (environment: string, snapshot: number) => {
      const key = `${environment}#${snapshot}`;
      return getOrInsert(times, key, () => this.located.timeOf(environment, snapshot));
    };
    const sorted = exposures.toSorted(
      (a, b) => Number(b.isExposed) - Number(a.isExposed) || compareTexts(nameOf(a), nameOf(b)),
    );
    return Promise.all(
      sorted.slice(0, SHOWN_MAX).map(async (one) => ({
        environment: nameOf(one),
        exposed: one.isExposed,
        first_snapshot: one.first,
        exposed_since: (await timeOf(one.environment, one.first)) ?? 0,
        gone_snapshot: one.goneSnapshot,
        gone_at: one.goneSnapshot === null ? null : await timeOf(one.environment, one.goneSnapshot),
      })),
    );
  }
}

/** Returns the summary of the entries, or else the title of a finding. It is empty if there is neither. */
export function summaryOf({ id, entries, findings }: Pick<Vulnerability, 'id' | 'entries' | 'findings'>): string {
  const ownFirst = entries.toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
  return (
    ownFirst.find(({ summary }) => summary !== '')?.summary ??
    findings.find(({ finding }) => finding.title !== '')?.finding.title ??
    ''
  );
}

/** Returns when the newest entry was modified. Without entries, it returns the time of the newest scanner report. */
function newestOf({ findings }: Vulnerability, entries: Vulnerability['entries']): number {
  if (entries.length > 0) return Math.max(...entries.map(({ modified }) => modified));
  return findings.flatMap(({ scans }) => scans).reduce((newest, { at }) => Math.max(newest, at), 0);
}

async function countsOf(exposed: readonly ExposedArtifact[], states: VexStates): Promise<StateCounts> {
  const counts = { not_affected: 0, affected: 0, fixed: 0, under_investigation: 0, none: 0 };
  if (states.isEmpty) return { ...counts, none: exposed.length };
  const slices = new Slices();
  for (const { fingerprint, purl } of exposed) {
    await slices.pause();
    counts[states.of(fingerprint, purl)?.status ?? 'none'] += 1;
  }
  return counts;
}
