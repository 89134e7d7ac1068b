import { componentsView } from '@assurance/components/read/components/follow';
import { inventoryOf } from '@assurance/components/read/components/inventory';
import { componentsAt } from '@assurance/components/read/components/parts';
import { countUnjudged, countUnjudgedAmong, unjudgedAnswer } from '@assurance/components/read/components/without-sbom';
import { LocatedArtifacts } from '@assurance/components/read/located-artifacts';
import { running } from '@assurance/contracts/environments/documents';
import type {
  VulnerabilityAnswer,
  VulnerabilityItem,
  VulnerabilityList,
  VulnerableArtifact,
} from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import { links } from '@assurance/contracts/http/links';
import type { Severity } from '@assurance/contracts/vulnerabilities/events';
import { placesOf } from '@assurance/environments/domain/members';
import { findEnvironment } from '@assurance/environments/lookups/environments';
import { numberedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { compareTexts, echo, err, ok, pieces, type Result } from '@assurance/kernel';
import { type Documents, findPages } from '@assurance/storage-ports';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { rankOf } from '../domain/severity';
import { Exposures, type ArtifactLocations } from './exposures';
import { lastImportOf } from './last-import';
import { exposedRow } from './vulnerabilities/exposed-row';
import { vulnerabilitiesView } from './vulnerabilities/follow';
import { type Vulnerability, findVulnerabilityByName } from './vulnerabilities/groups';
import { ListedVulnerabilities, type Scope } from './vulnerabilities/listed';
import { importRows } from './vulnerabilities/rows';
import { artifactsOfScans, componentOf, type ExposedArtifact } from './vulnerabilities/scanned';
import { statementsOn, VexStates } from './vulnerabilities/vex-states';

const PAGE = 1_000;
/** The most entries of a vulnerability in an answer. */
const ENTRIES_SHOWN = 100;

/** Returns the URL of the list, or of one vulnerability. */
export const addressOf = (site: Parameters<typeof links.api>[0], ...id: readonly string[]) =>
  [links.api(site), 'vulnerabilities', ...[site.org, ...id].map(encodeURIComponent)].join('/');

export const namesOf = ({ id, aliases }: Vulnerability) => [id, ...aliases];

export function tooMany(field: string, problem: string): Refusal {
  return { kind: 'invalid', errors: { [field]: problem } };
}

/** Lists the vulnerabilities of the components of artifacts. */
export class ListVulnerabilities extends queryBy<
  { minSeverity: Severity | undefined; environment: string | undefined; page: PageRequest },
  Result<ViewAnswer<VulnerabilityList>, Refusal>
>() {}

@QueryHandler(ListVulnerabilities)
export class ListVulnerabilitiesHandler extends ViewHandler implements IQueryHandler<ListVulnerabilities> {
  constructor(private readonly exposures: Exposures) {
    super();
  }

  async execute(query: ListVulnerabilities): Promise<Result<ViewAnswer<VulnerabilityList>, Refusal>> {
    const { caller, page } = query;
    const org = caller.org.id;
    const environment =
      query.environment === undefined ? null : await findEnvironment(this.ports, caller.org, query.environment);
    if (environment?.ok === false) return environment;
    const scope = await this.scopeOf(caller, environment === null ? null : placesOf(environment.value));
    if (scope === 'too-many') {
      return err(tooMany('environment', 'More components run there than one answer can be made of'));
    }
    const viewAnswer = await this.views.read(vulnerabilitiesView, caller, async (documents) => {
      const rank = rankOf(query.minSeverity ?? null);
      const all = await ListedVulnerabilities.read(documents, org, rank, scope.value.scope);
      if (all === 'too-many') return all;
      const names = all.names((page.page - 1) * page.perPage, page.page * page.perPage);
      const rows = names.length === 0 ? { value: [], behind: 0 } : await this.rowsOf(caller, documents, all, names);
      return { rows, count: all.count, last: await documents.collection(importRows).get(org) };
    });
    if (viewAnswer.value === 'too-many') {
      const problem =
        'The vulnerabilities have more names than one answer can be made of: ask with a higher min_severity, such as critical, or for one artifact';
      return err(tooMany('min_severity', problem));
    }
    const { rows, count, last } = viewAnswer.value;
    if ('tooLarge' in rows) {
      const problem = `The vulnerability '${echo(rows.tooLarge)}' of this page concerns more than one answer can be made of`;
      return err(tooMany('page', problem));
    }
    const filterParameters = { min_severity: query.minSeverity, environment: query.environment };
    const value: VulnerabilityList = {
      ...numberedPage(addressOf(siteOf(this.settings, caller)), filterParameters, page, count),
      ...scope.value.unjudged,
      last_import: await lastImportOf(this.ports.documents, last),
      vulnerabilities: rows.value,
    };
    return ok({ value, behind: Math.max(viewAnswer.behind, scope.behind, rows.behind) });
  }

  /** Makes the rows of a page. If they are too much together, it makes half of them at a time. */
  private async rowsOf(
    caller: Caller,
    documents: Documents,
    all: ListedVulnerabilities,
    names: readonly string[],
  ): Promise<ViewAnswer<VulnerabilityItem[]> | { readonly tooLarge: string }> {
    const rows = await this.rowsTogether(caller, documents, all, names);
    if (rows !== 'too-many') return rows;
    const [first = '', ...others] = names;
    if (others.length === 0) return { tooLarge: first };
    const value: VulnerabilityItem[] = [];
    let behind = 0;
    for (const half of pieces(names, Math.ceil(names.length / 2))) {
      const rows = await this.rowsOf(caller, documents, all, half);
      if ('tooLarge' in rows) return rows;
      value.push(...rows.value);
      behind = Math.max(behind, rows.behind);
    }
    return { value, behind };
  }

  private async rowsTogether(
    caller: Caller,
    documents: Documents,
    all: ListedVulnerabilities,
    names: readonly string[],
  ): Promise<ViewAnswer<VulnerabilityItem[]> | 'too-many'> {
    const shownVulnerabilities = await all.vulnerabilities(names);
    if (shownVulnerabilities === 'too-many') return shownVulnerabilities;
    const statements = await statementsOn(documents, caller.org.id, shownVulnerabilities.flatMap(namesOf));
    if (statements === 'too-many') return statements;
    const locations = await this.exposures.locate(caller, shownVulnerabilities);
    if (locations === 'too-many') return locations;
    const exposedLists = await this.exposures.exposedTo(shownVulnerabilities, locations.value);
    const roots = await this.exposures.rootsOf(caller, statements, exposedLists.flat());
    return {
      value: await this.exposures.itemsOf(shownVulnerabilities, exposedLists, locations.value, statements, roots),
      behind: locations.behind,
    };
  }

  /** Returns the components and reports of an environment, null for all, and how many artifacts cannot be judged. */
  private async scopeOf(caller: Caller, places: readonly string[] | null) {
    const org = caller.org.id;
    const fingerprints = new Set<string>();
    for (const environment of places ?? []) {
      const where = { environment };
      for await (const page of findPages(this.ports.documents.collection(running), { where }, PAGE)) {
        // An artifact without a digest counts by its name: its components are unknown.
        for (const { doc } of page) fingerprints.add(doc.fingerprint === '' ? `\n${doc.name}` : doc.fingerprint);
      }
    }
    const { value, behind } = await this.views.read(componentsView, caller, async (documents) => {
      if (places === null) return { purls: null, unjudged: await countUnjudged(documents, org, null, null) };
      const inventory = await inventoryOf(documents, org, [...fingerprints]);
      if (inventory === 'too-many') return inventory;
      return { purls: inventory.keys, unjudged: await countUnjudgedAmong(documents, org, [...fingerprints]) };
    });
    if (value === 'too-many') return value;
    const { purls, unjudged } = value;
    const scope = purls === null ? null : { purls, reportsOf: this.reportsOn(caller, fingerprints) };
    return { value: { scope, unjudged: unjudgedAnswer(unjudged) }, behind };
  }

  private reportsOn(caller: Caller, fingerprints: ReadonlySet<string>): Scope['reportsOf'] {
    return async (scans) => {
      const { value: artifacts } = await this.views.read(componentsView, caller, (documents) =>
        artifactsOfScans(documents, [{ findings: [{ scans }] }]),
      );
      return new Set(
        [...artifacts].filter(([, own]) => own.some((one) => fingerprints.has(one))).map(([scan]) => scan),
      );
    };
  }
}

/** Gets one vulnerability, by any of its names. */
export class GetVulnerability extends queryBy<
  { id: string; page: PageRequest },
  Result<ViewAnswer<VulnerabilityAnswer>, Refusal>
>() {}

@QueryHandler(GetVulnerability)
export class GetVulnerabilityHandler extends ViewHandler implements IQueryHandler<GetVulnerability> {
  constructor(
    private readonly exposures: Exposures,
    private readonly locatedArtifacts: LocatedArtifacts,
  ) {
    super();
  }

  async execute({ caller, id, page }: GetVulnerability): Promise<Result<ViewAnswer<VulnerabilityAnswer>, Refusal>> {
    const org = caller.org.id;
    const viewAnswer = await this.views.read(vulnerabilitiesView, caller, async (documents) => {
      const vulnerability = await findVulnerabilityByName(documents, org, id);
      if (vulnerability === null || vulnerability === 'too-many') return vulnerability;
      return { vulnerability, statements: await statementsOn(documents, org, namesOf(vulnerability)) };
    });
    if (viewAnswer.value === null) return err({ kind: 'vulnerability-unknown', org: caller.org.name, id });
    const locations =
      viewAnswer.value === 'too-many'
        ? 'too-many'
        : await this.exposures.locate(caller, [viewAnswer.value.vulnerability]);
    if (locations === 'too-many' || viewAnswer.value === 'too-many' || viewAnswer.value.statements === 'too-many') {
      return err(tooMany('id', 'This vulnerability concerns more than one answer can be made of'));
    }
    const { vulnerability, statements } = viewAnswer.value;
    const [exposed = []] = await this.exposures.exposedTo([vulnerability], locations.value);
    const roots = await this.exposures.rootsOf(caller, statements, exposed);
    const [item] = await this.exposures.itemsOf([vulnerability], [exposed], locations.value, statements, roots);
    if (item === undefined) throw new Error('a vulnerability has no row');
    const shownArtifacts = exposed.slice((page.page - 1) * page.perPage, page.page * page.perPage);
    const unjudgedCount = await this.views.read(componentsView, caller, (view) => countUnjudged(view, org, null, null));
    const entries = [...vulnerability.entries, ...vulnerability.linked];
    const withdrawn = entries.map((entry) => entry.withdrawn);
    const value: VulnerabilityAnswer = {
      ...item,
      exposures: await this.exposures.periodsOf(exposed, locations.value),
      withdrawn:
        withdrawn.includes(null) || vulnerability.findings.length > 0
          ? null
          : Math.max(...withdrawn.map((at) => at ?? 0)) / 1_000,
      entries: entries
        .toSorted((a, b) => compareTexts(a.id, b.id))
        .slice(0, ENTRIES_SHOWN)
        .map((entry) => ({
          id: entry.id,
          severity: entry.severity,
          published: secondsOf(entry.published),
          modified: entry.modified / 1_000,
          withdrawn: secondsOf(entry.withdrawn),
        })),
      ...numberedPage(addressOf(siteOf(this.settings, caller), vulnerability.id), {}, page, exposed.length),
      ...unjudgedAnswer(unjudgedCount.value),
      artifacts: await this.fillPage(
        caller,
        vulnerability,
        shownArtifacts,
        locations.value.runs,
        new VexStates(vulnerability, statements, roots),
      ),
    };
    return ok({ value, behind: Math.max(viewAnswer.behind, locations.behind, unjudgedCount.behind) });
  }

  private async fillPage(
    caller: Caller,
    vulnerability: Vulnerability,
    shownArtifacts: readonly ExposedArtifact[],
    runs: ArtifactLocations['runs'],
    states: VexStates,
  ): Promise<VulnerableArtifact[]> {
    const org = caller.org.id;
    const components = await this.views.read(componentsView, caller, (documents) =>
      componentsAt(
        documents,
        org,
        shownArtifacts.flatMap(({ place }) => place ?? []),
      ),
    );
    const fingerprints = [...new Set(shownArtifacts.map(({ fingerprint }) => fingerprint))];
    const artifacts = await this.locatedArtifacts.describeArtifacts(org, fingerprints, runs);
    return shownArtifacts.flatMap((one) => {
      const { fingerprint, place } = one;
      const artifact = artifacts.get(fingerprint);
      const component = place === null ? componentOf(one) : components.value.get(place);
      if (artifact === undefined || component === undefined) return [];
      return [{ component, ...exposedRow(vulnerability, one, states), ...artifact }];
    });
  }
}

function secondsOf(at: number | null): number | null {
  return at === null ? null : at / 1_000;
}
