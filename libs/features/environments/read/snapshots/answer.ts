import type {
  ArtifactsShown,
  DeploymentDiffAnswer,
  SnapshotArtifact,
  SnapshotFlow,
} from '@assurance/contracts/environments/answers/snapshot';
import type {
  DeploymentDiff,
  RunningArtifact,
  RunningProvenance,
  SnapshotChange,
} from '@assurance/contracts/environments/events';
import { links, type Site } from '@assurance/contracts/http/links';
import { plainDigits } from '@assurance/contracts/http/patterns';
import type { JudgedTrail, Verdict } from '@assurance/contracts/policies/events';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { attestedCommitAnswer } from '@assurance/flows/lookups/commit-answer';
import { flowNames, type FlowNameOf, type RecordedFlow } from '@assurance/flows/lookups/flow-names';
import { plausibleTime, mapInSlices, Slices } from '@assurance/kernel';
import { decisionsAnswer, type VersionOf } from '@assurance/policies/read/policies/decisions';
import type { Documents } from '@assurance/storage-ports';
import { keyText } from '../../domain/runs';
import type { Snapshot } from '../../domain/snapshot';
import type { AllowListingLookup } from '../allow-listing';
import { failingFor } from './causes';
import { contextsAnswer } from './contexts';
import { judgedTrails } from './judged-trails';

/** Which artifacts of a snapshot are answered. */
export interface ArtifactSelection {
  readonly show: ArtifactsShown;
  /** Part of the name, the fingerprint or the flow, in any case. */
  readonly search: string | undefined;
  /** The key of a cause of failures, or of a way to fail. */
  readonly cause: string | undefined;
  /** Null for all. */
  readonly page: PageRequest | null;
}

/**
 * The artifacts of a snapshot as it was recorded: what ran, by name, then what left in it. An artifact whose place another took
 * is not listed again, nor is what left where the snapshot starts from nothing.
 *
 * @returns those of the page, and how many are selected on all pages
 */
export async function snapshotArtifacts(
  documents: Documents,
  site: Site,
  { artifacts, changes, afresh }: Snapshot,
  versionOf: VersionOf,
  listingOf: AllowListingLookup,
  selection: ArtifactSelection,
): Promise<{ readonly shown: SnapshotArtifact[]; readonly count: number }> {
  const slices = new Slices();
  const changesByKey = new Map(changes.filter(({ now }) => now > 0).map((change) => [keyText(change), change]));
  const runs = new Set(artifacts.map(({ fingerprint }) => fingerprint));
  await slices.pause();
  const artifactsWithChange = artifacts.map((artifact): ArtifactWithChange => [
    artifact,
    changesByKey.get(keyText(artifact)) ?? null,
  ]);
  await slices.pause();
  const rest = changes
    .filter(({ now, replacedBy }) => now === 0 && replacedBy === null && !afresh)
    .map((change): ArtifactWithChange => [change, change]);
  await slices.pause();
  const sorted = [...artifactsWithChange.sort(byName), ...rest.sort(byName)];
  await slices.pause();
  const { page, search = '' } = selection;
  const isSelected = selects(selection, versionOf, await flowNamesOf(documents, search === '' ? [] : sorted));
  const all = sorted.filter(isSelected);
  await slices.pause();
  const shownArtifacts = page === null ? all : all.slice((page.page - 1) * page.perPage, page.page * page.perPage);
  const lookups = { versionOf, listingOf, flowNameOf: await flowNamesOf(documents, shownArtifacts) };
  const answers = await mapInSlices(
    shownArtifacts,
    ([artifact, change]) => artifactAnswer(site, artifact, change, runs, lookups),
    slices,
  );
  return { shown: answers, count: all.length };
}

type ArtifactWithChange = readonly [artifact: RunningArtifact, change: SnapshotChange | null];

async function flowNamesOf(documents: Documents, rows: readonly ArtifactWithChange[]): Promise<FlowNameOf> {
  const recorded: RecordedFlow[] = [];
  await mapInSlices(rows, ([{ flows }]) => {
    for (const { flow } of flows) recorded.push(flow);
  });
  return flowNames(documents, recorded);
}

function byName([a]: ArtifactWithChange, [b]: ArtifactWithChange): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.fingerprint < b.fingerprint ? -1 : 1;
}

function selects(
  { show, search = '', cause }: ArtifactSelection,
  versionOf: VersionOf,
  flowNameOf: FlowNameOf,
): (row: ArtifactWithChange) => boolean {
  const fails = cause === undefined ? null : failingFor(cause, versionOf);
  const part = search.toLowerCase();
  const digits = plainDigits(part);
  const holds = (text: string) => text.toLowerCase().includes(part);
  return ([artifact, change]) => {
    const { name, fingerprint, flows, compliant, verdict } = artifact;
    if (show === 'changed' ? change === null : show !== 'all' && change?.now === 0) return false;
    if (show === 'non-compliant' && compliant !== false) return false;
    if (show === 'allowed' && verdict?.allowed !== true) return false;
    if (fails !== null && (change?.now === 0 || !fails(artifact))) return false;
    return (
      part === '' || holds(name) || fingerprint.includes(digits) || flows.some(({ flow }) => holds(flowNameOf(flow)))
    );
  };
}

/** What the answer about an artifact shows beside what its snapshot recorded. */
interface ArtifactLookups {
  readonly versionOf: VersionOf;
  readonly listingOf: AllowListingLookup;
  readonly flowNameOf: FlowNameOf;
}

function artifactAnswer(
  site: Site,
  artifact: RunningArtifact,
  change: SnapshotChange | null,
  runs: ReadonlySet<string>,
  { versionOf, listingOf, flowNameOf }: ArtifactLookups,
): SnapshotArtifact {
  const { name, fingerprint, compliant, instances, contexts, flows, verdict } = artifact;
  const created = instances.map((at) => plausibleTime(at) ?? 0);
  const judgedOf = judgedTrails(flows, verdict?.contexts ?? []);
  const all = flows.map((flow) => flowAnswer(site, fingerprint, flow, flowNameOf(flow.flow), runs, judgedOf(flow)));
  const [first] = all;
  return {
    name,
    fingerprint,
    compliant,
    reasons_for_incompliance: verdict?.reasons ?? [],
    policy_decisions:
      verdict === undefined ? [] : decisionsAnswer(withFlowNames(verdict, flows, judgedOf, flowNameOf), versionOf),
    allow_listing: listingOf(artifact),
    creationTimestamp: created,
    ...contextsAnswer(contexts, created),
    annotation: annotationOf(instances.length, change),
    flow_name: first?.flow_name ?? null,
    git_commit: first?.git_commit ?? '',
    commit_url: first?.commit_url ?? null,
    html_url: first?.html_url ?? null,
    flow_html_url: first?.flow_html_url ?? null,
    deployments: [],
    commit_lead_time: first?.commit_lead_time ?? null,
    deployment_diff: first?.deployment_diff ?? null,
    flows: all,
  };
}

/** A verdict with the present names of the flows that it judged. */
function withFlowNames(
  verdict: Verdict,
  flows: readonly RunningProvenance[],
  judgedOf: (flow: RunningProvenance) => JudgedTrail | undefined,
  flowNameOf: FlowNameOf,
): Verdict {
  const names = new Map(flows.map((flow) => [judgedOf(flow), flowNameOf(flow.flow)]));
  return { ...verdict, contexts: verdict.contexts.map((one) => ({ ...one, flow: names.get(one) ?? one.flow })) };
}

function annotationOf(count: number, change: SnapshotChange | null): SnapshotArtifact['annotation'] {
  if (change === null) return { type: 'unchanged', was: count, now: count };
  return { type: annotationType(change), was: change.was, now: change.now };
}

/** A change as the wire names it. */
export function annotationType({
  change,
  compliant,
}: Pick<SnapshotChange, 'change' | 'compliant'>): SnapshotArtifact['annotation']['type'] {
  if (change !== 'started' || compliant === null) return change;
  return compliant ? 'started-compliant' : 'started-non-compliant';
}

function flowAnswer(
  site: Site,
  fingerprint: string,
  flow: RunningProvenance,
  flowName: string,
  runs: ReadonlySet<string>,
  judgedTrail: JudgedTrail | undefined,
): SnapshotFlow {
  return {
    flow_name: flowName,
    trail_name: flow.trail,
    template_reference_name: flow.template,
    git_commit: flow.gitCommit,
    commit_url: flow.commitUrl,
    git_commit_info: flow.commit === null ? null : attestedCommitAnswer(flow.commit),
    html_url: links.artifactPage(site, flowName, fingerprint, flow.artifactId),
    flow_html_url: links.flowPage(site, flowName),
    deployment_diff: flow.deploymentDiff === null ? null : diffAnswer(flow.deploymentDiff, runs),
    commit_lead_time: flow.leadTime,
    artifact_compliance_in_flow: judgedTrail === undefined ? null : judgedTrail.status === 'COMPLIANT',
    flow_reasons_for_non_compliance:
      judgedTrail === undefined || judgedTrail.status === 'COMPLIANT' ? [] : [`the artifact is ${judgedTrail.status}`],
  };
}

/** @param runs fingerprints of all that runs in the snapshot */
function diffAnswer({ diffUrl, previous }: DeploymentDiff, runs: ReadonlySet<string>): DeploymentDiffAnswer {
  return {
    diff_url: diffUrl,
    previous_git_commit: previous.gitCommit,
    previous_git_commit_url: previous.commitUrl,
    previous_fingerprint: previous.fingerprint,
    previous_artifact_name: previous.name,
    previous_artifact_compliance_state: previous.state ?? null,
    previous_running: runs.has(previous.fingerprint),
    previous_trail_name: previous.trail,
    previous_template_reference_name: previous.template,
  };
}
