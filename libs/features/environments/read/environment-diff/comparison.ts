import type { ComparedArtifact, ComparedPair, Comparison } from '@assurance/contracts/environments/answers/comparison';
import { links, type Site } from '@assurance/contracts/http/links';
import { numberedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { compareUrl } from '@assurance/flows/domain/url';
import { worstVerdict } from '@assurance/flows/domain/worst-verdict';
import type { FlowNameOf } from '@assurance/flows/lookups/flow-names';
import { mapInSlices, Slices } from '@assurance/kernel';
import { baseName } from '../../domain/artifact-line';
import {
  type ComparedArtifact as Compared,
  type Pair,
  PAIR_KINDS,
  type PairKind,
  SidePairing,
} from '../../domain/pair-sides';
import { originOf } from '../../domain/places';
import { type ArtifactGroup, comparedFieldsOf, countOf, groupsOf, type Side } from './artifact-groups';

/** A page of a comparison. */
export interface ComparisonRequest {
  /** Empty for all. */
  readonly kinds: readonly PairKind[];
  readonly page: PageRequest;
}

/**
 * Pairs all that runs on two sides, and answers with one page of the pairs.
 *
 * @param flowNameOf knows the flows of both sides
 */
export async function comparisonOf(
  site: Site,
  [first, second]: readonly [Side, Side],
  flowNameOf: FlowNameOf,
  { kinds, page }: ComparisonRequest,
): Promise<Comparison> {
  const slices = new Slices();
  const pairing = new SidePairing(await comparedIn(first, slices), await comparedIn(second, slices));
  for (const { artifacts, step } of pairing.passes) {
    await slices.pause();
    await mapInSlices(artifacts(), step, slices);
  }
  const pairs: Pair<ComparedGroup>[] = [];
  for (const kind of PAIR_KINDS) {
    if (kinds.length > 0 && !kinds.includes(kind)) continue;
    await slices.pause();
    for (const pair of pairing.pairsOf(kind)) pairs.push(pair);
  }
  const shown = pairs.slice((page.page - 1) * page.perPage, page.page * page.perPage);
  const address = `${links.api(site)}/compare/${encodeURIComponent(site.org)}`;
  return {
    from: first.id,
    to: second.id,
    counts: pairing.counts(),
    ...numberedPage(address, { from: first.id, to: second.id, kind: kinds }, page, pairs.length),
    pairs: shown.map((pair) => pairAnswer(pair, flowNameOf)),
  };
}

interface ComparedGroup extends Compared {
  readonly group: ArtifactGroup;
}

async function comparedIn(side: Side, slices: Slices): Promise<readonly ComparedGroup[]> {
  const groups = await groupsOf(side, slices);
  return mapInSlices([...groups], ([key, group]) => comparedGroup(key, group), slices);
}

function comparedGroup(key: string, group: ArtifactGroup): ComparedGroup {
  const [{ name, flows }] = group;
  return {
    key,
    name,
    base: baseName(name),
    origin: originOf(flows),
    instanceCount: countOf(group),
    startedAt: Math.min(...group.map(({ since }) => since.deployedAt)),
    group,
  };
}

function pairAnswer({ kind, from, to }: Pair<ComparedGroup>, flowNameOf: FlowNameOf): ComparedPair {
  return {
    kind,
    service: (to ?? from)?.base ?? '',
    from: from && artifactAnswer(from, flowNameOf),
    to: to && artifactAnswer(to, flowNameOf),
    diff_url: kind === 'changed' && from !== null && to !== null ? compareUrl(commitOf(from), commitOf(to)) : null,
  };
}

function artifactAnswer({ group, instanceCount }: ComparedGroup, flowNameOf: FlowNameOf): ComparedArtifact {
  const compliant = worstVerdict(group.map((artifact) => artifact.compliant));
  return { ...comparedFieldsOf(group, flowNameOf), instance_count: instanceCount, compliant };
}

function commitOf({ group: [{ flows }] }: ComparedGroup) {
  const [first] = flows;
  return { repo: first?.repo ?? null, commit: first?.gitCommit ?? null };
}
