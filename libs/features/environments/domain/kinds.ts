import type { StartDocument } from '@assurance/contracts/environments/documents';
import type { ArtifactKey, DeploymentKind } from '@assurance/contracts/environments/events';
import { deploymentKind } from './deployment-kind';
import type { ReportFacts } from './facts';
import { baseName, isSameLine } from './artifact-line';
import { originOf } from './places';

type ProvenanceFacts = Pick<ReportFacts, 'provenanceOf' | 'ranBefore'>;
type StartRecord = Pick<StartDocument, 'fingerprint' | 'name' | 'flow' | 'template' | 'repo' | 'since'>;

/** Starts in an environment before the start of an artifact. */
interface EarlierStarts {
  /** Under the template of the artifact's first report, newest first. */
  readonly starts: readonly StartRecord[];
  /** The newest starts of other artifacts of its line. There are several only if they started in the same snapshot. */
  readonly startsOfOthers: readonly StartRecord[];
}

/**
 * The kind of a deployment, from the provenance that each start recorded. It is undefined for artifacts without provenance, and if the
 * order of starts in one snapshot decides.
 */
export function kindOf(
  artifact: ArtifactKey,
  snapshot: number,
  facts: ProvenanceFacts & Pick<ReportFacts, 'firstStart' | 'previousReportAt'>,
): DeploymentKind | undefined {
  const { fingerprint } = artifact;
  if (fingerprint === '') return undefined;
  if (facts.previousReportAt === null) return deploymentKind(true, null, null);
  const first = facts.firstStart(fingerprint);
  if (first === undefined) return undefined;
  if (first === null) return deploymentKind(false, null, null);
  const before = startsBefore(artifact, snapshot, facts);
  if (before === null) return undefined;
  const ownStart = before.starts.find((start) => start.fingerprint === fingerprint);
  // If it started too long ago to be in the list, all listed ones started later or together with it.
  const last = ownStart?.since ?? before.starts.at(-1)?.since ?? first;
  const starts = { first: at(first), last: at(last) };
  const [other, ...more] = before.startsOfOthers;
  if (other === undefined || other.since < last)
    return ownStart === undefined ? undefined : deploymentKind(false, starts, null);
  const otherFirst = facts.firstStart(other.fingerprint) ?? first;
  if (other.since === last || otherFirst === first || more.length > 0) return undefined;
  return deploymentKind(false, starts, { first: at(otherFirst), last: at(other.since) });
}

/** The fingerprints with first starts that determine the kinds of deployments, with the newest starts under their template. */
export function requiredStarts(
  facts: ProvenanceFacts,
  startedArtifacts: readonly ArtifactKey[],
  snapshot: number,
): ReadonlyMap<string, readonly StartRecord[]> {
  const startsByFingerprint = new Map<string, readonly StartRecord[]>();
  for (const artifact of startedArtifacts) {
    const before = startsBefore(artifact, snapshot, facts);
    if (before === null) continue;
    for (const { fingerprint } of [artifact, ...before.startsOfOthers.slice(0, 1)])
      startsByFingerprint.set(fingerprint, before.starts);
  }
  return startsByFingerprint;
}

function startsBefore(
  { fingerprint, name }: ArtifactKey,
  snapshot: number,
  facts: ProvenanceFacts,
): EarlierStarts | null {
  const provenance = facts.provenanceOf(fingerprint);
  const [first] = provenance;
  if (first === undefined || first.template === null) return null;
  const self = { base: baseName(name), origin: originOf(provenance) };
  const isOther = (start: StartRecord) =>
    start.fingerprint !== fingerprint && isSameLine({ base: baseName(start.name), origin: start }, self);
  const starts = facts.ranBefore(first.flow.id, first.template, snapshot);
  const newest = starts.find(isOther);
  const beside = starts.filter(
    (start) => start.since === newest?.since && start.fingerprint !== newest.fingerprint && isOther(start),
  );
  return { starts, startsOfOthers: newest === undefined ? [] : [newest, ...beside] };
}

function at(snapshot: number) {
  return { snapshot, deployedAt: 0 };
}
