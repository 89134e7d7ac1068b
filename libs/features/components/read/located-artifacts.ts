import type { ArtifactWithComponent, ComponentPlace } from '@assurance/contracts/components/answers/components';
import type { Environment } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { Provenance } from '@assurance/contracts/flows/events';
import { deploymentsView } from '@assurance/deployments/read/deployments/follow';
import { environmentsById } from '@assurance/environments/lookups/environments';
import { snapshotAt } from '@assurance/environments/read/snapshots/resolve';
import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import { observedAtOfCommit } from '@assurance/event-sourcing/sealing/read';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { provenances } from '@assurance/flows/domain/provenance';
import { flowNames } from '@assurance/flows/lookups/flow-names';
import type { Caller } from '@assurance/http/query-caller';
import { forEachConcurrently, groupBy } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { componentsView } from './components/follow';
import { beginningsOf, endedAtBeginnings, type Run, runsOf } from './components/runs';

/** How many environments of an artifact an answer has. */
const SHOWN_MAX = 100;
/** Of how many artifacts reports are read at once. */
const ABREAST = 8;

/** A time in which something ran: integer milliseconds, both ends included; null for no end. */
export interface Period {
  readonly from: number | null;
  readonly to: number | null;
}

/** Where artifacts run and ran, and what was reported of them. */
@Injectable()
export class LocatedArtifacts {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly views: Views,
  ) {}

  /** Where artifacts ran, in these environments and in this period; without those that did not. Null for all of either. `too-many` beyond the limit. */
  async runsIn(
    caller: Caller,
    fingerprints: readonly string[],
    places: readonly string[] | null,
    period: Period | null,
  ): Promise<ViewAnswer<ReadonlyMap<string, readonly Run[]>> | 'too-many'> {
    const org = caller.org.id;
    const { value, behind } = await this.views.read(deploymentsView, caller, (view) =>
      runsOf({ view, states: this.ports.documents }, org, fingerprints, places),
    );
    if (value === 'too-many') return value;
    const environments = new Set<string>();
    for (const runs of value.values()) for (const { environment } of runs) environments.add(environment);
    const beginnings = await this.views.read(componentsView, caller, (documents) =>
      beginningsOf(documents, org, [...environments]),
    );
    const bounds = await this.boundsOf([...environments], period);
    const runsByFingerprint = new Map<string, readonly Run[]>();
    for (const [fingerprint, runs] of value) {
      const remainingRuns = endedAtBeginnings(runs, beginnings.value).filter(({ environment, from, until }) => {
        const { first, last } = bounds.get(environment) ?? { first: 0, last: Infinity };
        return from <= last && (until === null || until > first);
      });
      if (remainingRuns.length > 0) runsByFingerprint.set(fingerprint, remainingRuns);
    }
    return { value: runsByFingerprint, behind: Math.max(behind, beginnings.behind) };
  }

  /** The snapshots in force at the ends of a period, by environment; none without a period. */
  private async boundsOf(ids: readonly string[], period: Period | null) {
    const bounds = new Map<string, { readonly first: number; readonly last: number }>();
    if (period === null) return bounds;
    for (const environment of (await environmentsById(this.ports.documents, ids)).values()) {
      const inForce = (at: number) => snapshotAt(this.ports.events, environment, at);
      bounds.set(environment.id, {
        first: period.from === null ? 0 : await inForce(period.from),
        last: period.to === null ? Infinity : await inForce(period.to),
      });
    }
    return bounds;
  }

  /** What was reported of artifacts, and in which environments they ran. */
  async describeArtifacts(
    org: string,
    fingerprints: readonly string[],
    runs: ReadonlyMap<string, readonly Run[]>,
  ): Promise<ReadonlyMap<string, Omit<ArtifactWithComponent, 'component'>>> {
    const { documents } = this.ports;
    const ids = fingerprints.flatMap((one) => (runs.get(one) ?? []).map(({ environment }) => environment));
    const environments = await environmentsById(documents, [...new Set(ids)]);
    const artifacts = new Map<string, Omit<ArtifactWithComponent, 'component'>>();
    const reports = new Map<string, Provenance>();
    await forEachConcurrently(fingerprints, ABREAST, async (fingerprint) => {
      const order = orderBy('first.reportedAt', 'first.artifactId');
      const [report] = await documents.collection(provenances).find({ where: { org, fingerprint }, order, limit: 1 });
      if (report !== undefined) reports.set(fingerprint, report.doc.first);
    });
    const flowIds = [...reports.values()].map(({ flow }) => flow);
    const flowNameOf = await flowNames(documents, flowIds);
    await forEachConcurrently(fingerprints, ABREAST, async (fingerprint) => {
      const first = reports.get(fingerprint);
      const places = groupBy(runs.get(fingerprint) ?? [], ({ environment }) => environment);
      artifacts.set(fingerprint, {
        fingerprint,
        artifact_name: first?.filename ?? '',
        flow: first === undefined ? null : flowNameOf(first.flow),
        git_commit: first?.gitCommit ?? null,
        repository: first?.repo?.name ?? null,
        environment_count: places.size,
        environments: await this.placesIn([...places].slice(0, SHOWN_MAX), environments),
      });
    });
    return artifacts;
  }

  private placesIn(
    places: readonly (readonly [string, readonly Run[]])[],
    environments: ReadonlyMap<string, Pick<Environment, 'name'>>,
  ): Promise<ComponentPlace[]> {
    return Promise.all(
      places.map(async ([id, runs]) => {
        // They are in their order.
        const [first, last] = [runs[0]?.from ?? 0, runs.at(-1)];
        const isRunning = last?.isRunning === true;
        const lastSnapshot = isRunning ? null : (last?.until ?? null);
        return {
          environment: environments.get(id)?.name ?? id,
          first_snapshot: first,
          first_seen: (await this.timeOf(id, first)) ?? 0,
          running: isRunning,
          last_snapshot: lastSnapshot,
          last_seen: lastSnapshot === null ? null : await this.timeOf(id, lastSnapshot),
        };
      }),
    );
  }

  /** When a snapshot was observed, in epoch seconds. */
  async timeOf(environment: string, snapshot: number): Promise<number | null> {
    const commit = await this.ports.events.bySnapshot(streams.environment(environment), snapshot);
    return commit === null ? null : observedAtOfCommit(commit) / 1_000;
  }
}
