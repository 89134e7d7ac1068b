import type { Run } from '@assurance/components/read/components/runs';
import { componentsView } from '@assurance/components/read/components/follow';
import type { ComponentLocation } from '@assurance/components/read/components/parts';
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
import { compareTexts, Slices } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import {
  artifactsWithPurls,
  type ExposedPeriod,
  type Exposure,
  exposedPeriods,
  exposuresOf,
} from './vulnerabilities/exposed';
import { type Vulnerability, worst } from './vulnerabilities/groups';
import { VexStates } from './vulnerabilities/vex-states';
import type { StatementRow } from './vulnerabilities/rows';

/** How many environments and aliases an answer has. */
const SHOWN_MAX = 100;

/** Artifacts with some components, and where they ran. */
export interface Located {
  /** Of artifacts with any of the components, by fingerprint, ascending. */
  readonly artifacts: ReadonlyMap<string, readonly ComponentLocation[]>;
  readonly runs: ReadonlyMap<string, readonly Run[]>;
}

/** An artifact with a component that has a vulnerability. */
export interface Exposed {
  readonly fingerprint: string;
  readonly place: ComponentLocation;
}

/** Where vulnerabilities run. */
@Injectable()
export class Exposures {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly views: Views,
    private readonly located: LocatedArtifacts,
  ) {}

  /** The artifacts that have some vulnerabilities. */
  async locate(caller: Caller, all: readonly Vulnerability[]): Promise<ViewAnswer<Located> | 'too-many'> {
    const purls = new Set(all.flatMap(({ matches }) => [...matches.keys()]));
    const { value, behind } = await this.views.read(componentsView, caller, (documents) =>
      artifactsWithPurls(documents, caller.org.id, purls),
    );
    if (value === 'too-many') return value;
    const fingerprints = [...value.keys()].sort();
    const runs = await this.located.runsIn(caller, fingerprints, null, null);
    if (runs === 'too-many') return runs;
    const artifacts = new Map(fingerprints.map((fingerprint) => [fingerprint, value.get(fingerprint) ?? []]));
    return { value: { artifacts, runs: runs.value }, behind: Math.max(behind, runs.behind) };
  }

  /** Each time in which an environment was exposed to any of these artifacts: the newest 100. */
  async periodsOf({ artifacts, runs }: Located): Promise<VulnerabilityAnswer['exposures']> {
    const periods = exposedPeriods(artifacts.keys(), runs).slice(0, SHOWN_MAX);
    const ids = new Set(periods.map(({ environment }) => environment));
    const byId = await environmentsById(this.ports.documents, [...ids]);
    const timeOf = ({ environment }: ExposedPeriod, snapshot: number) => this.located.timeOf(environment, snapshot);
    return Promise.all(
      periods.map(async (one) => ({
        environment: byId.get(one.environment)?.name ?? one.environment,
        first_snapshot: one.first,
        exposed_since: (await timeOf(one, one.first)) ?? 0,
        gone_snapshot: one.gone,
        gone_at: one.gone === null ? null : await timeOf(one, one.gone),
      })),
    );
  }

  /** Rows of the vulnerabilities of a page. */
  async itemsOf(
    all: readonly Vulnerability[],
    located: Located,
    statements: ReadonlyMap<string, readonly StatementRow[]>,
  ): Promise<VulnerabilityItem[]> {
    const byPurl = new Map<string, Exposed[]>();
    const slices = new Slices();
    for (const [fingerprint, places] of located.artifacts) {
      for (const place of places) {
        await slices.pause();
        const own = byPurl.get(place.key);
        if (own === undefined) byPurl.set(place.key, [{ fingerprint, place }]);
        else own.push({ fingerprint, place });
      }
    }
    const items: VulnerabilityItem[] = [];
    const times = new Map<string, Promise<number | null>>();
    for (const one of all) {
      const exposed = [...one.matches.keys()].flatMap((purl) => byPurl.get(purl) ?? []);
      items.push(await this.itemOf(one, exposed, located.runs, new VexStates(one, statements), times));
    }
    return items;
  }

  private async itemOf(
    { id, aliases, entries }: Vulnerability,
    exposed: readonly Exposed[],
    runs: Located['runs'],
    states: VexStates,
    times: Map<string, Promise<number | null>>,
  ): Promise<VulnerabilityItem> {
    const fingerprints = new Set(exposed.map(({ fingerprint }) => fingerprint));
    const exposures = exposuresOf(fingerprints, runs);
    const standing = entries.filter(({ withdrawn }) => withdrawn === null);
    const shown = standing.length === 0 ? entries : standing;
    const published = shown.flatMap((entry) => entry.published ?? []);
    const named = shown.toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
    return {
      id,
      aliases: aliases.slice(0, SHOWN_MAX),
      severity: SEVERITIES[worst(shown) - 1] ?? null,
      summary: named.find(({ summary }) => summary !== '')?.summary ?? '',
      published: published.length === 0 ? null : Math.min(...published) / 1_000,
      modified: Math.max(...shown.map(({ modified }) => modified)) / 1_000,
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
    const byId = await environmentsById(
      this.ports.documents,
      exposures.map(({ environment }) => environment),
    );
    const nameOf = ({ environment }: Exposure) => byId.get(environment)?.name ?? environment;
    const timeOf = (environment: string, snapshot: number) => {
      const key = `${environment}#${snapshot}`;
      const time = times.get(key) ?? this.located.timeOf(environment, snapshot);
      times.set(key, time);
      return time;
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
        gone_snapshot: one.gone,
        gone_at: one.gone === null ? null : await timeOf(one.environment, one.gone),
      })),
    );
  }
}

async function countsOf(exposed: readonly Exposed[], states: VexStates): Promise<StateCounts> {
  const counts = { not_affected: 0, affected: 0, fixed: 0, under_investigation: 0, none: 0 };
  if (states.isEmpty) return { ...counts, none: exposed.length };
  const slices = new Slices();
  for (const { fingerprint, place } of exposed) {
    await slices.pause();
    counts[states.of(fingerprint, place.key)?.status ?? 'none'] += 1;
  }
  return counts;
}
