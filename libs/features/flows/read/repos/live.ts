import {
  environmentStates,
  type Environment,
  startDocuments,
  type StartDocument,
  running,
} from '@assurance/contracts/environments/documents';
import { streams } from '@assurance/contracts/events/streams';
import { anyOf } from '@assurance/event-sourcing/projection/listing';
import { compareTexts } from '@assurance/kernel';
import { type Documents, findPages, getAll, pagesAmong } from '@assurance/storage-ports';
import { type ProvenanceDocument, provenances, reportId } from '../../domain/provenance';
import { repoFlows } from '../artifacts/rows';
import { LISTED_MAX } from '../slice-of';

/** An artifact of a repository that runs in an environment. */
export interface LiveArtifact {
  readonly environment: Environment;
  readonly report: ProvenanceDocument;
  /** The snapshot in which it started. */
  readonly snapshot: number;
  readonly name: string;
  /** Epoch seconds. */
  readonly startedAt: number;
  /** Null if it was not judged. */
  readonly compliant: boolean | null;
}

const PIECE = 1_000;
/** How many flows or fingerprints are looked up together. */
const GROUP = 100;

/**
 * Returns the ids of the flows in which artifacts of repositories were reported.
 *
 * @param documents the documents of the view
 */
export async function flowsOfRepos(documents: Documents, repos: readonly string[]): Promise<string[]> {
  const flows = new Set<string>();
  const query = { where: { repo: anyOf(repos) } };
  for await (const page of findPages(documents.collection(repoFlows), query, PIECE)) {
    for (const { doc } of page) flows.add(doc.flow);
  }
  return [...flows];
}

/**
 * Returns artifacts of repositories that run now in environments that are not archived. Each appears once in an environment, by its first report.
 * They are sorted by the name of the environment, then by name and fingerprint of the artifact. At most `LISTED_MAX` are looked up.
 *
 * @param flows ids of the flows in which artifacts of the repositories were reported
 */
export async function liveArtifacts(
  documents: Documents,
  org: string,
  flows: readonly string[],
  repos: readonly string[],
): Promise<LiveArtifact[]> {
  const runs = await runsOf(documents, flows, repos);
  const environmentStreams = runs.map(({ environment }) => streams.environment(environment));
  const environments = await getAll(documents.collection(environmentStates), environmentStreams);
  const reports = await getAll(documents.collection(provenances), runs.map(reportId));
  const states = await statesOf(documents, org, [...new Set(runs.map(({ fingerprint }) => fingerprint))]);
  const live = new Map<string, LiveArtifact>();
  for (const run of runs) {
    const environment = environments.get(streams.environment(run.environment));
    const report = reports.get(reportId(run));
    const state = states.get(placeOf(run));
    if (environment === undefined || environment.archived || report === undefined || state === undefined) continue;
    const liveArtifact = live.get(placeOf(run));
    if (liveArtifact !== undefined && liveArtifact.report.first.reportedAt <= report.first.reportedAt) continue;
    live.set(placeOf(run), { environment, report, name: run.name, ...state });
  }
  return [...live.values()].sort(
    (a, b) =>
      compareTexts(a.environment.name, b.environment.name) ||
      compareTexts(a.name, b.name) ||
      compareTexts(a.report.fingerprint, b.report.fingerprint),
  );
}

/** Returns the current runs of the repositories. */
async function runsOf(
  documents: Documents,
  flows: readonly string[],
  repos: readonly string[],
): Promise<readonly StartDocument[]> {
  const runs: StartDocument[] = [];
  const starts = documents.collection<StartDocument>(startDocuments);
  for await (const page of pagesAmong(starts, { until: null }, 'flow', flows, PIECE, GROUP)) {
    for (const { doc } of page) if (doc.repo !== null && repos.includes(doc.repo)) runs.push(doc);
    if (runs.length >= LISTED_MAX) return runs;
  }
  return runs;
}

type State = Pick<LiveArtifact, 'snapshot' | 'startedAt' | 'compliant'>;

/**
 * Returns the start and the verdict of running artifacts by place. If one runs under several names, the earliest start and the worst verdict count.
 */
async function statesOf(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, State>> {
  const states = new Map<string, State>();
  const pages = pagesAmong(documents.collection(running), { org }, 'fingerprint', fingerprints, PIECE, GROUP);
  for await (const page of pages) {
    for (const { doc } of page) {
      const { since, judged } = doc;
      const own: State = {
        snapshot: since.snapshot,
        startedAt: since.deployedAt,
        compliant: judged?.compliant ?? null,
      };
      const state = states.get(placeOf(doc));
      const [first, second] = state !== undefined && state.snapshot <= own.snapshot ? [state, own] : [own, state];
      const compliant = [first, second].some((state) => state?.compliant === false) ? false : first.compliant;
      states.set(placeOf(doc), { ...first, compliant });
    }
  }
  return states;
}

function placeOf({ environment, fingerprint }: Pick<StartDocument, 'environment' | 'fingerprint'>): string {
  return `${environment}/${fingerprint}`;
}
