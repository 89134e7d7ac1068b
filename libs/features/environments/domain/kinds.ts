import type { RanDocument } from '@assurance/contracts/environments/documents';
import type { ArtifactKey, DeploymentKind } from '@assurance/contracts/environments/events';
import { deploymentKind } from './deployment-kind';
import type { ReportFacts } from './facts';
import { baseName, isSameLine } from './line';
import { originOf } from './places';

type Known = Pick<ReportFacts, 'provenanceOf' | 'ranBefore'>;
type Ran = Pick<RanDocument, 'fingerprint' | 'name' | 'flow' | 'template' | 'repo' | 'since'>;

/** Starts in an environment before that of an artifact. */
interface Before {
  /** Under the template of the artifact's first report, newest first. */
  readonly ran: readonly Ran[];
  /** Of its line, without itself, the newest ones: several only where they started in one snapshot. */
  readonly others: readonly Ran[];
}

/**
 * The kind of a deployment, as the provenance that was known at each start tells it. Undefined where it cannot be told: of artifacts without
 * provenance, and where the order of starts of one snapshot decides.
 */
export function kindOf(
  artifact: ArtifactKey,
  snapshot: number,
  facts: Known & Pick<ReportFacts, 'firstStart' | 'previousReportAt'>,
): DeploymentKind | undefined {
  const { fingerprint } = artifact;
  if (fingerprint === '') return undefined;
  if (facts.previousReportAt === null) return deploymentKind(true, null, null);
  const first = facts.firstStart(fingerprint);
  if (first === undefined) return undefined;
  if (first === null) return deploymentKind(false, null, null);
  const before = startsBefore(artifact, snapshot, facts);
  if (before === null) return undefined;
  const own = before.ran.find((one) => one.fingerprint === fingerprint);
  // Where it started too long ago to be among those, all of them started later, or with it.
  const last = own?.since ?? before.ran.at(-1)?.since ?? first;
  const starts = { first: at(first), last: at(last) };
  const [other, ...more] = before.others;
  if (other === undefined || other.since < last)
    return own === undefined ? undefined : deploymentKind(false, starts, null);
  const theirs = facts.firstStart(other.fingerprint) ?? first;
  if (other.since === last || theirs === first || more.length > 0) return undefined;
  return deploymentKind(false, starts, { first: at(theirs), last: at(other.since) });
}

/** The fingerprints whose first starts tell the kinds of deployments, with the newest starts under their template. */
export function startsWanted(
  facts: Known,
  started: readonly ArtifactKey[],
  snapshot: number,
): ReadonlyMap<string, readonly Ran[]> {
  const wanted = new Map<string, readonly Ran[]>();
  for (const artifact of started) {
    const before = startsBefore(artifact, snapshot, facts);
    if (before === null) continue;
    for (const { fingerprint } of [artifact, ...before.others.slice(0, 1)]) wanted.set(fingerprint, before.ran);
  }
  return wanted;
}

function startsBefore({ fingerprint, name }: ArtifactKey, snapshot: number, facts: Known): Before | null {
  const provenance = facts.provenanceOf(fingerprint);
  const [first] = provenance;
  if (first === undefined || first.template === null) return null;
  const self = { base: baseName(name), origin: originOf(provenance) };
  const isOther = (one: Ran) =>
    one.fingerprint !== fingerprint && isSameLine({ base: baseName(one.name), origin: one }, self);
  const ran = facts.ranBefore(first.flow.id, first.template, snapshot);
  const newest = ran.find(isOther);
  const beside = ran.filter(
    (one) => one.since === newest?.since && one.fingerprint !== newest.fingerprint && isOther(one),
  );
  return { ran, others: newest === undefined ? [] : [newest, ...beside] };
}

function at(snapshot: number) {
  return { snapshot, deployedAt: 0 };
}
