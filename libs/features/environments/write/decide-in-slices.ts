import type { Running } from '@assurance/contracts/environments/documents';
import type { Refreshed } from '@assurance/contracts/environments/events';
import { accepted, type Decision, mapInSlices, pieces, Slices } from '@assurance/kernel';
import {
  mergeInstances,
  type Difference,
  differenceIn,
  instancesOf,
  type Reported,
  type ReportItem,
} from '../domain/difference';
import type { ReportFacts } from '../domain/facts';
import { type FlowsOf, flowsReader } from '../domain/flows-of';
import {
  rejudgedChanges,
  decideWithoutJudging,
  type JudgeAgain,
  type JudgeAgainFacts,
  type JudgeAgainRefusal,
  artifactsToRejudge,
} from '../domain/judge-again';
import { ChangeJudge, type UnjudgedChange } from '../domain/judged';
import { decideRefresh, refreshedRunning } from '../domain/refresh';
import { FreePlaces, departedCandidates, arrivedCandidates } from '../domain/places';
import {
  arrivalsOf,
  decideWithoutChange,
  departuresOf,
  exchangesOf,
  type Report,
  ReportDraft,
  type ReportRefusal,
} from '../domain/report-running';
import { byKey, runningAfterRefresh } from '../domain/runs';
import {
  type EnvironmentState,
  eventsOf,
  rejudgedChange,
  type Observation,
  type SnapshotEvent,
  unchangedToJudge,
} from '../domain/snapshot-of';

/** How many artifacts are compared between two looks at the clock. */
const PIECE = 64;

/** Turns a report's items into artifacts with their instances, in the order of `byKey`. */
export async function collectInSlices(items: readonly ReportItem[]): Promise<Reported[]> {
  const slices = new Slices();
  const instances = (await mapInSlices(items, instancesOf, slices)).flat();
  await slices.pause();
  return mergeInstances(instances);
}

/** The details that a report changes for artifacts that keep running, and these artifacts after the change. */
export async function refreshInSlices(
  runningArtifacts: readonly Running[],
  { continued, renamed }: Difference,
  slices: Slices = new Slices(),
): Promise<{ refreshed: Refreshed | null; renewed: readonly Running[]; running: readonly Running[] }> {
  const parts: Refreshed[] = [];
  for (const piece of [
    ...pieces(continued, PIECE).map((part) => ({ continued: part, renamed: [] })),
    ...pieces(renamed, PIECE).map((part) => ({ continued: [], renamed: part })),
  ]) {
    const part = decideRefresh(piece);
    if (part !== null) parts.push(part);
    if (slices.over) await slices.next();
  }
  if (parts.length === 0) return { refreshed: null, renewed: [], running: runningArtifacts };
  const artifacts = parts.flatMap((part) => part.artifacts);
  const refreshed = { artifacts, dropped: parts.flatMap(({ dropped }) => dropped) };
  const renewedArtifacts = await mapInSlices(artifacts, runningAfterRefresh, slices);
  return {
    refreshed,
    renewed: renewedArtifacts,
    running: refreshedRunning(runningArtifacts, refreshed, renewedArtifacts),
  };
}

/**
 * Decides whether a report changes what an environment runs (specification 4.3). A report that equals the newest snapshot
 * changes nothing; an empty report means that everything exited. It pauses, because a report may change thousands of artifacts.
 *
 * @param difference between the report and the running artifacts, if the caller computed it for the facts
 */
export async function decideReport(
  state: EnvironmentState,
  report: Report,
  facts: ReportFacts,
  difference: Difference = differenceIn(state.environment, state.running, report.artifacts),
): Promise<Decision<SnapshotEvent, ReportRefusal>> {
  const earlyDecision = decideWithoutChange(state, report, difference);
  if (earlyDecision !== null) return earlyDecision;
  const slices = new Slices();
  const { environment } = state;
  const { refreshed, renewed, running } = await refreshInSlices(state.running, difference, slices);
  await slices.pause();
  const { exited: leaving, started: coming } = exchangesOf(environment, difference);
  const departuresOfArtifacts = await mapInSlices(leaving, (candidate) => departuresOf(candidate, facts), slices);
  // If nothing leaves, there are no places to take.
  const seekers = departuresOfArtifacts.length === 0 ? [] : coming;
  const arrivalsOfArtifacts = await mapInSlices(seekers, (reported) => arrivalsOf(reported, facts), slices);
  await slices.pause();
  const departures = departedCandidates(departuresOfArtifacts.flat());
  await slices.pause();
  const sought = arrivedCandidates(arrivalsOfArtifacts.flat());
  await slices.pause();
  const places = new FreePlaces(departures, sought);
  await slices.pause();
  const draft = new ReportDraft(state, facts, difference, refreshed, renewed, places);
  const startedChanges = await mapInSlices(difference.started, (artifact) => draft.startedChange(artifact), slices);
  const scaledChanges = await mapInSlices(difference.scaled, (candidate) => draft.scaledChange(candidate), slices);
  const exitedChanges = await mapInSlices(difference.exited, (artifact) => draft.exitedChange(artifact), slices);
  const changes = draft.orderChanges(startedChanges, scaledChanges, exitedChanges);
  await slices.pause();
  return accepted(...(await snapshotInSlices({ environment, running }, changes, facts, draft, slices)));
}

/** The running artifacts of `artifactsToRejudge`, with pauses. */
export async function artifactsToRejudgeInSlices(
  runningArtifacts: readonly Running[],
  ask: JudgeAgain,
  facts: Pick<ReportFacts, 'provenanceOf' | 'environmentStandards'>,
): Promise<readonly Running[]> {
  const slices = new Slices();
  const artifactsToJudge: Running[] = [];
  for (const part of pieces(runningArtifacts, PIECE)) {
    artifactsToJudge.push(...artifactsToRejudge({ running: part }, ask, facts));
    if (slices.over) await slices.next();
  }
  return artifactsToJudge;
}

/**
 * Decides whether changes in other streams make a new snapshot: other policies in force always do, and more provenance of a running
 * artifact does. Other changes do only if a verdict differs. The snapshot records changed artifacts as they are now; the others stay as
 * recorded. It decides nothing without a change, or without a report of the environment's type. A logical environment judges nothing
 * itself. An archived environment takes no snapshot; it is judged again when it is revived.
 *
 * @param artifactsToJudge the artifacts of `artifactsToRejudgeInSlices`
 */
export async function decideJudgeAgain(
  state: EnvironmentState,
  artifactsToJudge: readonly Running[],
  facts: JudgeAgainFacts,
): Promise<Decision<SnapshotEvent, JudgeAgainRefusal>> {
  const earlyDecision = decideWithoutJudging(state, artifactsToJudge, facts);
  if (earlyDecision !== null) return earlyDecision;
  const slices = new Slices();
  const flowsOf = flowsReader(facts, []);
  const sorted = [...artifactsToJudge].sort(byKey);
  await slices.pause();
  const changes = await mapInSlices(sorted, rejudgedChanges(state.environment, facts, flowsOf), slices);
  await slices.pause();
  const context = { flowsOf, observation: { observedAt: facts.observedAt } };
  return accepted(...(await snapshotInSlices(state, changes, facts, context, slices)));
}

/** The events of an environment's next snapshot. `changes` are not judged yet. */
async function snapshotInSlices(
  { environment, running }: EnvironmentState,
  changes: readonly UnjudgedChange[],
  facts: Pick<ReportFacts, 'recordedArtifacts' | 'environmentStandards'>,
  { flowsOf, observation }: { readonly flowsOf: FlowsOf; readonly observation: Observation },
  slices: Slices,
): Promise<ReturnType<typeof eventsOf>> {
  const unchanged = unchangedToJudge({ environment, running }, changes, facts);
  const others = await mapInSlices(unchanged, (candidate) => rejudgedChange(candidate, flowsOf, 'policy'), slices);
  const judge = new ChangeJudge(running, facts.environmentStandards);
  const changed = await mapInSlices(changes, (change) => judge.judge(change), slices);
  const again = await mapInSlices(others, (change) => judge.judge(change), slices);
  await slices.pause();
  const judged = judge.result(changed, again);
  await slices.pause();
  return eventsOf(environment, judged, facts, observation);
}
