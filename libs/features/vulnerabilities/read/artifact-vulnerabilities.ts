import { componentsView } from '@assurance/components/read/components/follow';
import { inventoryOf } from '@assurance/components/read/components/inventory';
import { type ComponentLocation, componentsAt } from '@assurance/components/read/components/parts';
import { RUNS_MAX } from '@assurance/components/read/components/runs';
import {
  countUnjudgedAmong,
  isKnownArtifact,
  unjudgedAnswer,
} from '@assurance/components/read/components/without-sbom';
import { LocatedArtifacts } from '@assurance/components/read/located-artifacts';
import type {
  ArtifactVulnerabilities,
  ArtifactVulnerability,
} from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import { SEVERITIES } from '@assurance/contracts/vulnerabilities/events';
import { numberedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import { subjectOf } from '@assurance/flows/domain/attestation';
import { provenances } from '@assurance/flows/domain/provenance';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { err, ok, type Result, Slices } from '@assurance/kernel';
import { findPages } from '@assurance/storage-ports';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Exposures, summaryOf } from './exposures';
import { lastImportOf } from './last-import';
import { addressOf, namesOf, tooMany } from './vulnerabilities';
import { exposedRow } from './vulnerabilities/exposed-row';
import { vulnerabilitiesView } from './vulnerabilities/follow';
import { scansOfSubjects } from './vulnerabilities/reported-findings';
import { type Vulnerability, vulnerabilitiesOfComponents, worst } from './vulnerabilities/groups';
import { importRows, type ScanRow } from './vulnerabilities/rows';
import { artifactsOfScans, componentOf, type ExposedArtifact, exposedTo } from './vulnerabilities/scanned';
import { statementsOn, VexStates } from './vulnerabilities/vex-states';

const PAGE = 1_000;

/** A vulnerability, and a component of the artifact that has it. */
interface Pair {
  readonly vulnerability: Vulnerability;
  readonly exposed: ExposedArtifact;
}

/** Lists the vulnerabilities of one artifact. */
export class ListArtifactVulnerabilities extends queryBy<
  { fingerprint: string; page: PageRequest },
  Result<ViewAnswer<ArtifactVulnerabilities>, Refusal>
>() {}

@QueryHandler(ListArtifactVulnerabilities)
export class ListArtifactVulnerabilitiesHandler
  extends ViewHandler
  implements IQueryHandler<ListArtifactVulnerabilities>
{
  constructor(
    private readonly exposures: Exposures,
    private readonly locatedArtifacts: LocatedArtifacts,
  ) {
    super();
  }

  async execute({ caller, fingerprint, page }: ListArtifactVulnerabilities) {
    const org = caller.org.id;
    const components = await this.views.read(componentsView, caller, async (documents) => ({
      inventory: await inventoryOf(documents, org, [fingerprint]),
      unjudged: await countUnjudgedAmong(documents, org, [fingerprint]),
      isKnown: await isKnownArtifact(documents, org, fingerprint),
    }));
    const { inventory, unjudged, isKnown } = components.value;
    if (!isKnown) return err({ kind: 'fingerprint-unknown', fingerprint } as const);
    if (inventory === 'too-many') return refuseTooMany();
    const scans = await this.scansOf(caller, fingerprint);
    const result = await this.views.read(vulnerabilitiesView, caller, async (documents) => ({
      all: await vulnerabilitiesOfComponents(documents, org, inventory.keys, scans.value),
      last: await documents.collection(importRows).get(org),
    }));
    const { all, last } = result.value;
    if (all === 'too-many') return refuseTooMany();
    const runs = await this.locatedArtifacts.runsIn(caller, [fingerprint], null, null);
    if (runs === 'too-many') {
      const problem = `It started more than ${RUNS_MAX.ofOne} times, which is the limit. Its components and the reports of scanners name its vulnerabilities`;
      return err(tooMany('fingerprint', problem));
    }
    const pairs = await pairsOf(all, fingerprint, (purl) => inventory.placeOf(purl), scans.value);
    const shownPairs = pairs.slice((page.page - 1) * page.perPage, page.page * page.perPage);
    const vulnerabilities = await this.fillPage(caller, shownPairs);
    if (vulnerabilities === 'too-many') return refuseTooMany();
    const places = (await this.locatedArtifacts.describeArtifacts(org, [fingerprint], runs.value)).get(fingerprint);
    const value: ArtifactVulnerabilities = {
      fingerprint,
      ...numberedPage(addressOf(siteOf(this.settings, caller), 'artifacts', fingerprint), {}, page, pairs.length),
      ...unjudgedAnswer(unjudged),
      last_import: await lastImportOf(this.ports.documents, last),
      environment_count: places?.environment_count ?? 0,
      environments: places?.environments ?? [],
      vulnerabilities,
    };
    return ok({ value, behind: Math.max(result.behind, components.behind, scans.behind, runs.behind) });
  }

  /** Returns the newest scanner reports on an artifact: reports that name it, and reports of trails that awaited it. */
  private async scansOf(caller: Caller, fingerprint: string): Promise<ViewAnswer<readonly ScanRow[]>> {
    const org = caller.org.id;
    const subjects = new Set([subjectOf({ kind: 'artifact', fingerprint })]);
    const reports = this.ports.documents.collection(provenances);
    for await (const page of findPages(reports, { where: { org, fingerprint } }, PAGE)) {
      for (const { doc } of page) {
        const { template, gitCommit: commit } = doc.first;
        if (template !== null) subjects.add(subjectOf({ kind: 'awaited', template, commit }));
      }
    }
    const candidates = await this.views.read(vulnerabilitiesView, caller, (documents) =>
      scansOfSubjects(documents, org, [...subjects]),
    );
    // Other trails may await an artifact with the same name and commit, so keep only the reports on this artifact.
    const artifacts = await this.views.read(componentsView, caller, (documents) =>
      artifactsOfScans(documents, [{ findings: [{ scans: candidates.value }] }]),
    );
    const value = candidates.value.filter(({ scan }) => artifacts.value.get(scan)?.includes(fingerprint) === true);
    return { value, behind: Math.max(candidates.behind, artifacts.behind) };
  }

  private async fillPage(caller: Caller, shownPairs: readonly Pair[]): Promise<ArtifactVulnerability[] | 'too-many'> {
    const org = caller.org.id;
    const { value: statements } = await this.views.read(vulnerabilitiesView, caller, (documents) =>
      statementsOn(
        documents,
        org,
        shownPairs.flatMap(({ vulnerability }) => namesOf(vulnerability)),
      ),
    );
    if (statements === 'too-many') return statements;
    const { value: components } = await this.views.read(componentsView, caller, (documents) =>
      componentsAt(
        documents,
        org,
        shownPairs.flatMap(({ exposed }) => exposed.place ?? []),
      ),
    );
    const roots = await this.exposures.rootsOf(
      caller,
      statements,
      shownPairs.map(({ exposed }) => exposed),
    );
    return shownPairs.flatMap(({ vulnerability, exposed }) => {
      const component = exposed.place === null ? componentOf(exposed) : components.get(exposed.place);
      if (component === undefined) return [];
      const { id, aliases } = vulnerability;
      const severity = SEVERITIES[worst(vulnerability) - 1] ?? null;
      const row = exposedRow(vulnerability, exposed, new VexStates(vulnerability, statements, roots));
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

/** The most aliases of a vulnerability in an answer. */
const ALIASES_SHOWN = 100;

function refuseTooMany() {
  return err(tooMany('fingerprint', 'It has more vulnerabilities or components than one answer can be made of'));
}

/** Returns the vulnerabilities of an artifact in order, each with every component that has it. */
async function pairsOf(
  all: readonly Vulnerability[],
  fingerprint: string,
  placeOf: (purl: string) => ComponentLocation | null,
  scans: readonly ScanRow[],
): Promise<readonly Pair[]> {
  const artifactsByPart = new Map<string, readonly Pick<ExposedArtifact, 'fingerprint' | 'place'>[]>();
  const ownScans = new Map(scans.map(({ scan }) => [scan, [fingerprint]]));
  const slices = new Slices();
  for (const { matches } of all) {
    for (const purl of matches.keys()) {
      await slices.pause();
      const place = placeOf(purl);
      if (place !== null) artifactsByPart.set(purl, [{ fingerprint, place }]);
    }
  }
  const pairs: Pair[] = [];
  for (const vulnerability of all) {
    for (const exposed of await exposedTo(vulnerability, artifactsByPart, ownScans))
      pairs.push({ vulnerability, exposed });
  }
  return pairs;
}
