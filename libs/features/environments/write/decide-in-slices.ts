import type { Running } from '@assurance/contracts/environments/documents';
import type { Refreshed } from '@assurance/contracts/environments/events';
import { accepted, type Decision, mapInSlices, pieces, Slices } from '@assurance/kernel';
import { collected, type Difference, instancesOf, type Reported, type ReportItem } from '../domain/difference';
import type { ReportFacts } from '../domain/facts';
import { type FlowsOf, flowsReader } from '../domain/flows-of';
import {
  changesAgain,
  decideWithoutJudging,
  type JudgeAgain,
  type JudgeAgainFacts,
  type JudgeAgainRefusal,
  movedIn,
} from '../domain/judge-again';
import { ChangeJudge, type Unjudged } from '../domain/judged';
import { refresh, refreshedRunning } from '../domain/refresh';
import { FreePlaces, placesLeft, placesSought } from '../domain/places';
import {
  arrivedAs,
  decideWithoutChange,
  departedAs,
  exchangedIn,
  type Report,
  ReportDraft,
  type ReportRefusal,
} from '../domain/report-running';
import { byKey, runningAs } from '../domain/runs';
import {
  type EnvironmentState,
  eventsOf,
  judgedAgain,
  type Observation,
  type SnapshotEvent,
  unchangedToJudge,
} from '../domain/snapshot-of';

/** How many artifacts are compared between two looks at the clock. */
const PIECE = 64;

/** The same as `collect`, with pauses. */
export async function collectInSlices(items: readonly ReportItem[]): Promise<Reported[]> {
  const slices = new Slices();
  const instances = (await mapInSlices(items, instancesOf, slices)).flat();
  await slices.pause();
  return collected(instances);
}

/** What a report says of artifacts that run on, also as they run: the same as `refresh` and `refreshedRunning`, with pauses. */
export async function refreshInSlices(
  running: readonly Running[],
  { kept, renamed }: Difference,
  slices: Slices = new Slices(),
): Promise<{ refreshed: Refreshed | null; renewed: readonly Running[]; running: readonly Running[] }> {
  const parts: Refreshed[] = [];
  for (const some of [
    ...pieces(kept, PIECE).map((part) => ({ kept: part, renamed: [] })),
    ...pieces(renamed, PIECE).map((part) => ({ kept: [], renamed: part })),
  ]) {
    const part = refresh(some);
    if (part !== null) parts.push(part);
    if (slices.over) await slices.next();
  }
  if (parts.length === 0) return { refreshed: null, renewed: [], running };
  const artifacts = parts.flatMap((part) => part.artifacts);
  const refreshed = { artifacts, dropped: parts.flatMap(({ dropped }) => dropped) };
  const renewed = await mapInSlices(artifacts, runningAs, slices);
  return { refreshed, renewed, running: refreshedRunning(running, refreshed, renewed) };
}

/** The same as `decideReport`, with pauses: a report may change thousands of artifacts. */
export async function decideReportInSlices(
  state: EnvironmentState,
  report: Report,
  facts: ReportFacts,
  difference: Difference,
): Promise<Decision<SnapshotEvent, ReportRefusal>> {
  const without = decideWithoutChange(state, report, difference);
  if (without !== null) return without;
  const slices = new Slices();
  const { environment } = state;
  const { refreshed, renewed, running } = await refreshInSlices(state.running, difference, slices);
  await slices.pause();
  const { exited: leaving, started: coming } = exchangedIn(environment, difference);
  const departed = await mapInSlices(leaving, (one) => departedAs(one, facts), slices);
  // Where nothing leaves, nobody seeks a place.
  const seekers = departed.length === 0 ? [] : coming;
  const arrived = await mapInSlices(seekers, (one) => arrivedAs(one, facts), slices);
  await slices.pause();
  const left = placesLeft(departed.flat());
  await slices.pause();
  const sought = placesSought(arrived.flat());
  await slices.pause();
  const places = new FreePlaces(left, sought);
  await slices.pause();
  const draft = new ReportDraft(state, facts, difference, refreshed, renewed, places);
  const started = await mapInSlices(difference.started, (artifact) => draft.started(artifact), slices);
  const scaled = await mapInSlices(difference.scaled, (one) => draft.scaled(one), slices);
  const exited = await mapInSlices(difference.exited, (artifact) => draft.exited(artifact), slices);
  const changes = draft.inOrder(started, scaled, exited);
  await slices.pause();
  return accepted(...(await snapshotInSlices({ environment, running }, changes, facts, draft, slices)));
}

/** The running artifacts of `movedIn`, with pauses. */
export async function movedInSlices(
  running: readonly Running[],
  ask: JudgeAgain,
  facts: Pick<ReportFacts, 'provenanceOf' | 'judging'>,
): Promise<readonly Running[]> {
  const slices = new Slices();
  const moved: Running[] = [];
  for (const part of pieces(running, PIECE)) {
    moved.push(...movedIn({ running: part }, ask, facts));
    if (slices.over) await slices.next();
  }
  return moved;
}

/**
 * The same as `decideJudgeAgain`, with pauses: other policies are a change of all that runs.
 *
 * @param moved the artifacts of `movedInSlices`
 */
export async function decideJudgeAgainInSlices(
  state: EnvironmentState,
  moved: readonly Running[],
  facts: JudgeAgainFacts,
): Promise<Decision<SnapshotEvent, JudgeAgainRefusal>> {
  const without = decideWithoutJudging(state, moved, facts);
  if (without !== null) return without;
  const slices = new Slices();
  const flowsOf = flowsReader(facts, []);
  const sorted = [...moved].sort(byKey);
  await slices.pause();
  const changes = await mapInSlices(sorted, changesAgain(state.environment, facts, flowsOf), slices);
  await slices.pause();
  const made = { flowsOf, observation: { observedAt: facts.observedAt } };
  return accepted(...(await snapshotInSlices(state, changes, facts, made, slices)));
}

/** The same as `snapshotOf`, with pauses. */
async function snapshotInSlices(
  { environment, running }: EnvironmentState,
  changes: readonly Unjudged[],
  facts: Pick<ReportFacts, 'recorded' | 'judging'>,
  { flowsOf, observation }: { readonly flowsOf: FlowsOf; readonly observation: Observation },
  slices: Slices,
): Promise<ReturnType<typeof eventsOf>> {
  const unchanged = unchangedToJudge({ environment, running }, changes, facts);
  const others = await mapInSlices(unchanged, (one) => judgedAgain(one, flowsOf, 'policy'), slices);
  const judge = new ChangeJudge(running, facts.judging);
  const changed = await mapInSlices(changes, (change) => judge.judged(change), slices);
  const again = await mapInSlices(others, (change) => judge.judged(change), slices);
  await slices.pause();
  const judged = judge.result(changed, again);
  await slices.pause();
  return eventsOf(environment, judged, facts, observation);
}
