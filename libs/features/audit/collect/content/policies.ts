import type { ActorNameLookup } from '@assurance/access/lookups/actors';
import { streams } from '@assurance/contracts/events/streams';
import type { Policy } from '@assurance/contracts/policies/documents';
import type { PolicyEvent } from '@assurance/contracts/policies/events';
import { BrokenRecord, commitsOf, eventsOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import { byteLength, groupBy, sha256 } from '@assurance/kernel';
import { policy as policies, type PolicyVersionDocument, versionBy } from '@assurance/policies/domain/policy';
import type { Commit, EventStore } from '@assurance/storage-ports';
import { jsonText } from '../../package/manifest';
import { numberedName, safePart } from '../../package/names';
import type { PolicyRow, PolicyVerdictRow } from '../../package/pdf/report';
import { policyPaths, policyContent } from '../../package/contents';
import { type PackageFile, textFile } from '../../package/write';
import { allowanceRow } from './artifacts';
import { type CommitRange, commitRangeTo, type EventFilter, type Records } from './chain';
import type { Run } from './runs';

/** A policy that judged runs. */
export interface ProvedPolicy {
  readonly range: CommitRange;
  /** Selects the events of its first commit, which has its name, and of the versions that judged. */
  readonly events: EventFilter;
  /** The versions that judged, oldest first. */
  readonly versions: readonly PolicyFiles[];
}

/** A version of a policy that judged a run, with its files. */
export interface PolicyFiles {
  readonly row: PolicyRow;
  readonly files: readonly PackageFile[];
}

/**
 * Reads the policies that judged runs from their streams, in the versions that judged.
 *
 * @throws BrokenRecord
 */
export async function policiesOf(
  engines: Records,
  runs: readonly Run[],
  nameOf: ActorNameLookup,
): Promise<ProvedPolicy[]> {
  const verdictsByPolicy = groupBy(
    runs.flatMap((run) => run.policies),
    ({ id }) => id,
  );
  const provedPolicies: ProvedPolicy[] = [];
  let number = 0;
  for (const [id, applied] of [...verdictsByPolicy].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const requestedVersions = new Set(applied.map(({ version }) => version));
    const { versions, last } = await readVersions(engines.events, streams.policy(id), requestedVersions);
    const seqs = new Set([1, ...versions.map(({ commit }) => commit.seq)]);
    const files: PolicyFiles[] = [];
    for (const version of versions) files.push(await policyFiles(version, (number += 1), runs, nameOf));
    const range = await commitRangeTo(engines, 1, last);
    provedPolicies.push({ range, events: (_, { seq }) => seqs.has(seq), versions: files });
  }
  return provedPolicies;
}

interface Version {
  readonly commit: Commit;
  readonly document: PolicyVersionDocument;
}

/** Versions of a policy, oldest first, and the commit of the last of them. */
async function readVersions(
  events: EventStore,
  stream: string,
  requestedVersions: ReadonlySet<number>,
): Promise<{ readonly versions: readonly Version[]; readonly last: Commit }> {
  const versions: Version[] = [];
  let state: Policy | null = null;
  for await (const commit of commitsOf(events, stream)) {
    const meta = metaOf(commit);
    for (const event of (await eventsOf(events, commit)) as PolicyEvent[]) {
      const current: Policy = policies.evolve(state, event, meta);
      state = current;
      const document = versionBy(current, event, meta);
      if (document !== null && requestedVersions.has(document.version)) versions.push({ commit, document });
    }
    if (versions.length === requestedVersions.size) return { versions, last: commit };
  }
  throw new BrokenRecord(`versions of ${stream} are gone`);
}

async function policyFiles(
  { commit, document }: Version,
  number: number,
  runs: readonly Run[],
  nameOf: ActorNameLookup,
): Promise<PolicyFiles> {
  const by = await nameOf(commit.actor);
  const { policy, name, version, yaml } = document;
  const paths = policyPaths(`policies/${numberedName(number, 3, `${safePart(name, 40)}-v${version}`)}`);
  const file = { path: paths.yaml, size: byteLength(yaml), sha256: sha256(yaml) };
  const verdicts = [];
  for (const run of runs) verdicts.push(...(await verdictRow(run, policy, version, nameOf)));
  return {
    row: { name, version, file, verdicts },
    files: [textFile(paths.yaml, yaml), textFile(paths.json, jsonText(policyContent(document, by, commit)))],
  };
}

async function verdictRow(
  { artifact, environment, since, verdict }: Run,
  policy: string,
  version: number,
  nameOf: ActorNameLookup,
): Promise<PolicyVerdictRow[]> {
  const own = verdict?.policies.find((candidate) => candidate.policy === policy && candidate.version === version);
  if (verdict === null || own === undefined) return [];
  const { allowed, reasons } = verdict;
  const { compliant } = own;
  const place = { artifact, environment: environment.name, snapshot: since.snapshot };
  const allowance = await allowanceRow(verdict.allowance, nameOf);
  return [{ ...place, compliant, allowed, allowance, reasons: compliant ? [] : reasons }];
}
