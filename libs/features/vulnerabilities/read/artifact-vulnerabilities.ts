import { componentsView } from '@assurance/components/read/components/follow';
import { inventoryOf } from '@assurance/components/read/components/inventory';
import { type ComponentLocation, componentsAt } from '@assurance/components/read/components/parts';
import { countUnjudgedAmong } from '@assurance/components/read/components/without-sbom';
import { LocatedArtifacts } from '@assurance/components/read/located-artifacts';
import type {
  ArtifactVulnerabilities,
  ArtifactVulnerability,
} from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import { SEVERITIES } from '@assurance/contracts/vulnerabilities/events';
import { numberedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import { PORTS, type Ports, SETTINGS, type Settings } from '@assurance/event-sourcing/tokens';
import type { Refusal } from '@assurance/http';
import { queryBy } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { err, ok, type Result, Slices } from '@assurance/kernel';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { summaryOf } from './exposures';
import { lastImportOf } from './last-import';
import { addressOf, namesOf, tooMany } from './vulnerabilities';
import { exposedRow } from './vulnerabilities/exposed-row';
import { vulnerabilitiesView } from './vulnerabilities/follow';
import { matchedVulnerabilities, type Vulnerability, worst } from './vulnerabilities/groups';
import { importRows } from './vulnerabilities/rows';
import { artifactsOfScans, componentOf, type Exposed, exposedTo } from './vulnerabilities/scanned';
import { statementsOn, VexStates } from './vulnerabilities/vex-states';

/** A vulnerability, and a component of the artifact that has it. */
interface Pair {
  readonly vulnerability: Vulnerability;
  readonly exposed: Exposed;
}

/** The vulnerabilities of one artifact. */
export class ListArtifactVulnerabilities extends queryBy<
  { fingerprint: string; page: PageRequest },
  Result<ViewAnswer<ArtifactVulnerabilities>, Refusal>
>() {}

@QueryHandler(ListArtifactVulnerabilities)
export class ListArtifactVulnerabilitiesHandler implements IQueryHandler<ListArtifactVulnerabilities> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly views: Views,
    private readonly located: LocatedArtifacts,
  ) {}

  async execute({ caller, fingerprint, page }: ListArtifactVulnerabilities) {
    const org = caller.org.id;
    const seen = await this.views.read(vulnerabilitiesView, caller, async (documents) => ({
      all: await matchedVulnerabilities(documents, org, 0),
      last: await documents.collection(importRows).get(org),
    }));
    const { all, last } = seen.value;
    if (all === 'too-many') return refused();
    const contained = await this.views.read(componentsView, caller, async (documents) => {
      const inventory = await inventoryOf(documents, org, [fingerprint]);
      if (inventory === 'too-many') return inventory;
      return {
        inventory,
        scanned: await artifactsOfScans(documents, all),
        unjudged: await countUnjudgedAmong(documents, org, [fingerprint]),
      };
    });
    const runs = await this.located.runsIn(caller, [fingerprint], null, null);
    if (contained.value === 'too-many' || runs === 'too-many') return refused();
    const { inventory, scanned, unjudged } = contained.value;
    const pairs = await pairsOf(all, fingerprint, (purl) => inventory.placeOf(purl), scanned);
    const shown = pairs.slice((page.page - 1) * page.perPage, page.page * page.perPage);
    const vulnerabilities = await this.filled(caller, shown);
    if (vulnerabilities === 'too-many') return refused();
    const places = (await this.located.described(org, [fingerprint], runs.value)).get(fingerprint);
    const value: ArtifactVulnerabilities = {
      fingerprint,
      ...numberedPage(addressOf(siteOf(this.settings, caller), 'artifacts', fingerprint), {}, page, pairs.length),
      ...{ without_sbom: unjudged.withoutSbom, incomplete_sbom: unjudged.incompleteSbom },
      last_import: await lastImportOf(this.ports.documents, last),
      environment_count: places?.environment_count ?? 0,
      environments: places?.environments ?? [],
      vulnerabilities,
    };
    return ok({ value, behind: Math.max(seen.behind, contained.behind, runs.behind) });
  }

  private async filled(caller: Caller, shown: readonly Pair[]): Promise<ArtifactVulnerability[] | 'too-many'> {
    const org = caller.org.id;
    const { value: statements } = await this.views.read(vulnerabilitiesView, caller, (documents) =>
      statementsOn(
        documents,
        org,
        shown.flatMap(({ vulnerability }) => namesOf(vulnerability)),
      ),
    );
    if (statements === 'too-many') return statements;
    const { value: components } = await this.views.read(componentsView, caller, (documents) =>
      componentsAt(
        documents,
        org,
        shown.flatMap(({ exposed }) => exposed.place ?? []),
      ),
    );
    return shown.flatMap(({ vulnerability, exposed }) => {
      const component = exposed.place === null ? componentOf(exposed) : components.get(exposed.place);
      if (component === undefined) return [];
      const { id, aliases } = vulnerability;
      const severity = SEVERITIES[worst(vulnerability) - 1] ?? null;
      const row = exposedRow(vulnerability, exposed, new VexStates(vulnerability, statements));
      return [
        {
          id,
          aliases: aliases.slice(0, ALIASES_SHOWN),
          severity,
          summary: summaryOf(vulnerability),
          component,
          ...row,
        },
      ];
    });
  }
}

/** How many aliases an answer has. */
const ALIASES_SHOWN = 100;

function refused() {
  return err(tooMany('fingerprint', 'It has more vulnerabilities or components than one answer can be made of'));
}

/** The vulnerabilities of an artifact in their order, each with every component that has it. */
async function pairsOf(
  all: readonly Vulnerability[],
  fingerprint: string,
  placeOf: (purl: string) => ComponentLocation | null,
  scanned: ReadonlyMap<string, readonly string[]>,
): Promise<readonly Pair[]> {
  const listed = new Map<string, readonly Pick<Exposed, 'fingerprint' | 'place'>[]>();
  const own = new Map<string, readonly string[]>();
  const slices = new Slices();
  for (const { matches } of all) {
    for (const purl of matches.keys()) {
      await slices.pause();
      const place = placeOf(purl);
      if (place !== null) listed.set(purl, [{ fingerprint, place }]);
    }
  }
  for (const [scan, fingerprints] of scanned) {
    await slices.pause();
    if (fingerprints.includes(fingerprint)) own.set(scan, [fingerprint]);
  }
  const pairs: Pair[] = [];
  for (const vulnerability of all) {
    for (const exposed of await exposedTo(vulnerability, listed, own)) pairs.push({ vulnerability, exposed });
  }
  return pairs;
}
