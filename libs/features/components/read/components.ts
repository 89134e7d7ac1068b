import type { ArtifactWithComponent, ComponentSearch } from '@assurance/contracts/components/answers/components';
import type { ListedComponent } from '@assurance/contracts/evidence/events';
import { placesOf } from '@assurance/environments/domain/members';
import { findEnvironment } from '@assurance/environments/lookups/environments';
import { type ListParameters, numberedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Ports } from '@assurance/event-sourcing/tokens';
import { findFlow } from '@assurance/flows/lookups/flows';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { err, ok, type Result, Slices } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  anyPlaceOf,
  artifactsWithComponents,
  type ComponentQuestion,
  findComponents,
  SEARCH_MAX,
} from './components/find';
import { componentsView } from './components/follow';
import { componentsAt, type ComponentLocation } from './components/parts';
import type { Run } from './components/runs';
import { reportedInFlow, type UnjudgeableArtifacts, countUnjudged, unjudgedAnswer } from './components/without-sbom';
import { componentsAddress } from './address';
import { LocatedArtifacts, type Period } from './located-artifacts';

/** How many environments of an artifact, and components that cannot be compared, an answer has. */
const SHOWN_MAX = 100;

/** Where components run and ran. */
export class FindComponents extends queryBy<
  {
    question: ComponentQuestion;
    environment: string | undefined;
    flow: string | undefined;
    period: Period | null;
    page: PageRequest;
    /** The query, for links of pages. */
    query: ListParameters;
  },
  Result<ViewAnswer<ComponentSearch>, Refusal>
>() {}

/** What the view of components has of a question. */
interface Matches {
  readonly artifacts: ReadonlyMap<string, readonly ComponentLocation[]>;
  readonly unsure: readonly ListedComponent[];
  readonly unsureCount: number;
  readonly unjudged: UnjudgeableArtifacts;
}

/** A row of the answer before it is filled. */
interface Row {
  readonly fingerprint: string;
  readonly place: ComponentLocation;
}

@QueryHandler(FindComponents)
export class FindComponentsHandler extends ViewHandler implements IQueryHandler<FindComponents> {
  constructor(private readonly located: LocatedArtifacts) {
    super();
  }

  async execute(query: FindComponents): Promise<Result<ViewAnswer<ComponentSearch>, Refusal>> {
    const { caller, question, period, page } = query;
    const environment =
      query.environment === undefined ? null : await findEnvironment(this.ports, caller.org, query.environment);
    if (environment?.ok === false) return environment;
    const flow = query.flow === undefined ? null : await findFlow(this.ports, caller.org, query.flow);
    if (flow?.ok === false) return flow;
    const places = environment === null ? null : placesOf(environment.value);
    const result = await this.views.read(componentsView, caller, (documents) =>
      matchesOf(documents, caller.org.id, question, places, flow?.value.id ?? null),
    );
    const matches = result.value;
    if (matches === 'too-many') return err(tooManyRefusal(question));
    const fingerprints = [...matches.artifacts.keys()].sort();
    const onPage = (rows: readonly Row[]) => rows.slice((page.page - 1) * page.perPage, page.page * page.perPage);
    // Without a place and a time, where artifacts run decides only what the rows of the page have.
    const all = places === null && period === null ? await rowsOf(matches, fingerprints) : null;
    const searched = all === null ? fingerprints : [...new Set(onPage(all).map(({ fingerprint }) => fingerprint))];
    const runs = await this.located.runsIn(caller, searched, places, period);
    if (runs === 'too-many') return err(tooManyRefusal(question));
    const rows =
      all ??
      (await rowsOf(
        matches,
        fingerprints.filter((fingerprint) => runs.value.has(fingerprint)),
      ));
    const value: ComponentSearch = {
      ...numberedPage(componentsAddress(siteOf(this.settings, caller)), query.query, page, rows.length),
      ...unjudgedAnswer(matches.unjudged),
      not_comparable: { total_count: matches.unsureCount, components: matches.unsure },
      artifacts: await this.fillPage(caller, onPage(rows), runs.value),
    };
    return ok({ value, behind: Math.max(result.behind, runs.behind) });
  }

  private async fillPage(
    caller: Caller,
    rows: readonly Row[],
    runs: ReadonlyMap<string, readonly Run[]>,
  ): Promise<ArtifactWithComponent[]> {
    const components = await this.views.read(componentsView, caller, (view) =>
      componentsAt(
        view,
        caller.org.id,
        rows.map(({ place }) => place),
      ),
    );
    const shown = [...new Set(rows.map(({ fingerprint }) => fingerprint))];
    const artifacts = await this.located.describeArtifacts(caller.org.id, shown, runs);
    return rows.flatMap(({ fingerprint, place }) => {
      const [artifact, component] = [artifacts.get(fingerprint), components.value.get(place)];
      return artifact === undefined || component === undefined ? [] : [{ component, ...artifact }];
    });
  }
}

async function rowsOf({ artifacts }: Matches, fingerprints: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  const slices = new Slices();
  for (const fingerprint of fingerprints) {
    await slices.pause();
    for (const place of artifacts.get(fingerprint) ?? []) rows.push({ fingerprint, place });
  }
  return rows;
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
  const artifacts = await artifactsWithComponents(documents, org, searched.matching);
  if (artifacts === 'too-many') return artifacts;
  const own = flow === null ? null : await reportedInFlow(documents, org, flow, [...artifacts.keys()]);
  const keys = [...searched.unsure.keys()].sort().slice(0, SHOWN_MAX);
  const unsureKeys = keys.flatMap((key) => searched.unsure.get(key) ?? []);
  const uses = await anyPlaceOf(documents, org, unsureKeys);
  const components = await componentsAt(documents, org, uses);
  return {
    artifacts: own === null ? artifacts : new Map([...artifacts].filter(([fingerprint]) => own.has(fingerprint))),
    unsure: uses.flatMap((use) => components.get(use) ?? []),
    unsureCount: searched.unsure.size,
    unjudged: await countUnjudged(documents, org, places, flow),
  };
}

function tooManyRefusal({ by }: ComponentQuestion): Refusal {
  const problem = `More than ${SEARCH_MAX.matches} components of artifacts match, or these were deployed too often. Ask for one version, or for a smaller range`;
  return { kind: 'invalid', errors: { ['package' in by ? 'purl' : 'name']: problem } };
}
