import type {
  ArtifactWithComponent,
  ComponentPlace,
  ComponentSearch,
} from '@assurance/contracts/components/answers/components';
import type { Environment } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { ListedComponent } from '@assurance/contracts/evidence/events';
import { deploymentsView } from '@assurance/deployments/read/deployments/follow';
import { placesOf } from '@assurance/environments/domain/members';
import { environmentsById, findEnvironment } from '@assurance/environments/lookups/environments';
import { snapshotAt } from '@assurance/environments/read/snapshots/resolve';
import { pageFields, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { type Seen, Views } from '@assurance/event-sourcing/projection/views';
import { observedIn } from '@assurance/event-sourcing/sealing/read';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { provenances } from '@assurance/flows/domain/provenance';
import { findFlow } from '@assurance/flows/lookups/flows';
import type { Refusal } from '@assurance/http';
import { queryBy } from '@assurance/http/queries';
import type { Caller } from '@assurance/http/query-caller';
import { grouped, no, ok, type Result, Slices } from '@assurance/kernel';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { artifactsWith, type ComponentQuestion, findComponents, MATCHES_MAX } from './components/find';
import { componentsView } from './components/follow';
import { componentsAt, type Place } from './components/parts';
import { beginningsOf, endedAfresh, type Run, runsOf } from './components/runs';
import { inFlow, type Unjudged, unjudgedIn } from './components/without-sbom';

/** How many environments of an artifact, and components that cannot be compared, an answer has. */
const SHOWN_MAX = 100;

/** A time in which something ran: integer milliseconds, both ends included; null for no end. */
export interface Period {
  readonly from: number | null;
  readonly to: number | null;
}

/** Where components run and ran. */
export class FindComponents extends queryBy<
  {
    question: ComponentQuestion;
    environment: string | undefined;
    flow: string | undefined;
    period: Period | null;
    page: PageRequest;
  },
  Result<Seen<ComponentSearch>, Refusal>
>() {}

/** What the view of components has of a question. */
interface Matches {
  readonly artifacts: ReadonlyMap<string, readonly Place[]>;
  readonly unsure: readonly ListedComponent[];
  readonly unsureCount: number;
  readonly unjudged: Unjudged;
}

/** A row of the answer before it is filled. */
interface Row {
  readonly fingerprint: string;
  readonly place: Place;
}

@QueryHandler(FindComponents)
export class FindComponentsHandler implements IQueryHandler<FindComponents> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly views: Views,
  ) {}

  async execute(query: FindComponents): Promise<Result<Seen<ComponentSearch>, Refusal>> {
    const { caller, question, period, page } = query;
    const environment =
      query.environment === undefined ? null : await findEnvironment(this.ports, caller.org, query.environment);
    if (environment?.ok === false) return environment;
    const flow = query.flow === undefined ? null : await findFlow(this.ports, caller.org, query.flow);
    if (flow?.ok === false) return flow;
    const places = environment === null ? null : placesOf(environment.value);
    const seen = await this.views.read(componentsView, caller, (documents) =>
      matchesOf(documents, caller.org.id, question, places, flow?.value.id ?? null),
    );
    const matches = seen.value;
    if (matches === 'too-many') return no(tooMany(question));
    const runs = await this.runsIn(caller, [...matches.artifacts.keys()], places, period);
    if (runs === 'too-many') return no(tooMany(question));
    const isNarrowed = places !== null || period !== null;
    const rows: Row[] = [];
    const slices = new Slices();
    for (const fingerprint of [...matches.artifacts.keys()].sort()) {
      await slices.pause();
      if (isNarrowed && !runs.value.has(fingerprint)) continue;
      for (const place of matches.artifacts.get(fingerprint) ?? []) rows.push({ fingerprint, place });
    }
    const shown = rows.slice((page.page - 1) * page.perPage, page.page * page.perPage);
    const { withoutSbom, incompleteSbom } = matches.unjudged;
    const value: ComponentSearch = {
      ...pageFields(page, rows.length),
      ...{ without_sbom: withoutSbom, incomplete_sbom: incompleteSbom },
      not_comparable: { total_count: matches.unsureCount, components: matches.unsure },
      artifacts: await this.filled(caller, shown, runs.value),
    };
    return ok({ value, behind: Math.max(seen.behind, runs.behind) });
  }

  /** Where artifacts ran, in these environments and in this period; without those that did not. */
  private async runsIn(
    caller: Caller,
    fingerprints: readonly string[],
    places: readonly string[] | null,
    period: Period | null,
  ): Promise<Seen<ReadonlyMap<string, readonly Run[]>> | 'too-many'> {
    const org = caller.org.id;
    const { value, behind } = await this.views.read(deploymentsView, caller, (view) =>
      runsOf({ view, states: this.ports.documents }, org, fingerprints),
    );
    if (value === 'too-many') return value;
    const environments = new Set<string>();
    for (const runs of value.values()) for (const { environment } of runs) environments.add(environment);
    const begun = await this.views.read(componentsView, caller, (documents) =>
      beginningsOf(documents, org, [...environments]),
    );
    const bounds = await this.boundsOf([...environments], period);
    const own = new Map<string, readonly Run[]>();
    for (const [fingerprint, runs] of value) {
      const left = endedAfresh(runs, begun.value).filter(({ environment, from, until }) => {
        if (places !== null && !places.includes(environment)) return false;
        const { first, last } = bounds.get(environment) ?? { first: 0, last: Infinity };
        return from <= last && (until === null || until > first);
      });
      if (left.length > 0) own.set(fingerprint, left);
    }
    return { value: own, behind: Math.max(behind, begun.behind) };
  }

  /** The snapshots in force at the ends of a period, by environment; none without a period. */
  private async boundsOf(ids: readonly string[], period: Period | null) {
    const bounds = new Map<string, { readonly first: number; readonly last: number }>();
    if (period === null) return bounds;
    for (const one of (await environmentsById(this.ports.documents, ids)).values()) {
      const inForce = (at: number) => snapshotAt(this.ports.events, one, at);
      bounds.set(one.id, {
        first: period.from === null ? 0 : await inForce(period.from),
        last: period.to === null ? Infinity : await inForce(period.to),
      });
    }
    return bounds;
  }

  private async filled(
    caller: Caller,
    rows: readonly Row[],
    runs: ReadonlyMap<string, readonly Run[]>,
  ): Promise<ArtifactWithComponent[]> {
    const { documents } = this.ports;
    const org = caller.org.id;
    const components = await this.views.read(componentsView, caller, (view) =>
      componentsAt(
        view,
        org,
        rows.map(({ place }) => place),
      ),
    );
    const shown = [...new Set(rows.map(({ fingerprint }) => fingerprint))];
    const ids = shown.flatMap((fingerprint) => (runs.get(fingerprint) ?? []).map(({ environment }) => environment));
    const environments = await environmentsById(documents, [...new Set(ids)]);
    const artifacts = new Map<string, Omit<ArtifactWithComponent, 'component'>>();
    for (const fingerprint of shown) {
      const order = orderBy('first.reportedAt', 'first.artifactId');
      const [report] = await documents.collection(provenances).find({ where: { org, fingerprint }, order, limit: 1 });
      const first = report?.doc.first ?? null;
      const places = grouped(runs.get(fingerprint) ?? [], ({ environment }) => environment);
      artifacts.set(fingerprint, {
        fingerprint,
        artifact_name: first?.filename ?? '',
        flow: first?.flow.name ?? null,
        git_commit: first?.gitCommit ?? null,
        repository: first?.repo?.name ?? null,
        environment_count: places.size,
        environments: await this.placesIn([...places].slice(0, SHOWN_MAX), environments),
      });
    }
    return rows.flatMap(({ fingerprint, place }) => {
      const [artifact, component] = [artifacts.get(fingerprint), components.value.get(place)];
      return artifact === undefined || component === undefined ? [] : [{ component, ...artifact }];
    });
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
        const gone = isRunning ? null : (last?.until ?? null);
        return {
          environment: environments.get(id)?.name ?? id,
          first_snapshot: first,
          first_seen: (await this.timeOf(id, first)) ?? 0,
          running: isRunning,
          last_snapshot: gone,
          last_seen: gone === null ? null : await this.timeOf(id, gone),
        };
      }),
    );
  }

  /** When a snapshot was observed, in epoch seconds. */
  private async timeOf(environment: string, snapshot: number): Promise<number | null> {
    const commit = await this.ports.events.bySnapshot(streams.environment(environment), snapshot);
    return commit === null ? null : observedIn(commit) / 1_000;
  }
}

async function matchesOf(
  documents: Ports['documents'],
  org: string,
  question: ComponentQuestion,
  places: readonly string[] | null,
  flow: string | null,
): Promise<Matches | 'too-many'> {
  const searched = await findComponents(documents, org, question);
  if (searched === 'too-many') return searched;
  const artifacts = await artifactsWith(documents, org, searched.matching);
  if (artifacts === 'too-many') return artifacts;
  const own = flow === null ? null : await inFlow(documents, flow, [...artifacts.keys()]);
  const unsure = new Map([...searched.unsure.values()].flat().map((one) => [one.key, one]));
  const shown = [...unsure.keys()]
    .sort()
    .slice(0, SHOWN_MAX)
    .flatMap((key) => unsure.get(key) ?? []);
  const components = await componentsAt(documents, org, shown);
  return {
    artifacts: own === null ? artifacts : new Map([...artifacts].filter(([fingerprint]) => own.has(fingerprint))),
    unsure: shown.flatMap((place) => components.get(place) ?? []),
    unsureCount: unsure.size,
    unjudged: await unjudgedIn(documents, org, places, flow),
  };
}

function tooMany({ by }: ComponentQuestion): Refusal {
  const problem = `More than ${MATCHES_MAX} components of artifacts match, or these were deployed too often. Ask for one version, or for a smaller range`;
  return { kind: 'invalid', errors: { ['package' in by ? 'purl' : 'name']: problem } };
}
