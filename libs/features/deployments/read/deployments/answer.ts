import type {
  DetailedDeployment,
  OptionalFields,
  OrgDeployment,
  RepoDeployment,
} from '@assurance/contracts/deployments/answers/deployment';
import { deploymentLinks } from '@assurance/contracts/deployments/links';
import type { CommitInfo } from '@assurance/contracts/events/commit';
import type { Provenance } from '@assurance/contracts/flows/events';
import type { Site } from '@assurance/contracts/http/links';
import { leadTimeOf } from '@assurance/environments/domain/start';
import { compareUrl } from '@assurance/flows/domain/url';
import { commitAnswer } from '@assurance/flows/lookups/commit-answer';
import { type FlowNameOf, flowNames } from '@assurance/flows/lookups/flow-names';
import type { Documents } from '@assurance/storage-ports';
import type { RepoDeploymentRows } from './list';
import type { DeploymentRow } from './rows';

/** The present names of the flows of deployments. */
export function flowNamesOfDeployments(documents: Documents, rows: readonly Pick<DeploymentRow, 'origin'>[]) {
  return flowNames(
    documents,
    rows.flatMap(({ origin }) => origin?.flow ?? []),
  );
}

/** An item of the organization's list. The lead time is in seconds, and left out if unknown (specification 2.1, 4.5). */
export function orgDeployment(site: Site, row: DeploymentRow, flowNameOf: FlowNameOf): OrgDeployment {
  return { ...commonFields(site, row, flowNameOf), ...optionalFields(row) };
}

/** An item of the detailed list. */
export function detailedDeployment(site: Site, shown: RepoDeploymentRows, flowNameOf: FlowNameOf): DetailedDeployment {
  return { ...repoDeployment(site, shown, flowNameOf), kind: shown.row.kind, ...optionalFields(shown.row) };
}

function optionalFields({ deployedAt, origin }: DeploymentRow): OptionalFields {
  const lead = leadTimeOf(deployedAt, origin?.commit?.timestamp);
  return lead === null ? {} : { lead_time: lead };
}

/** An item of a repository's list (specification 2.1, 4.1). */
export function repoDeployment(
  site: Site,
  { row, replaced }: RepoDeploymentRows,
  flowNameOf: FlowNameOf,
): RepoDeployment {
  const { origin } = row;
  return {
    ...commonFields(site, row, flowNameOf),
    compliance: row.compliant,
    commit: commitOf(origin),
    replaced_artifact:
      replaced === null
        ? null
        : {
            fingerprint: replaced.fingerprint,
            artifact_name: replaced.name,
            snapshot_index: replaced.snapshot - 1,
            commit: commitOf(replaced.origin),
          },
    diff_url:
      replaced === null
        ? null
        : compareUrl(
            { repo: replaced.origin?.repo ?? null, commit: replaced.origin?.gitCommit ?? null },
            { repo: origin?.repo ?? null, commit: origin?.gitCommit ?? null },
          ),
  };
}

function commonFields(site: Site, row: DeploymentRow, flowNameOf: FlowNameOf) {
  const { environmentName: environment, fingerprint, deployedAt, name, snapshot, origin } = row;
  const artifact = origin && {
    flow: flowNameOf(origin.flow),
    fingerprint,
    artifactId: origin.artifactId,
  };
  return {
    fingerprint,
    deployed_at: deployedAt,
    artifact_name: name,
    env_name: environment,
    snapshot_index: snapshot,
    _links: deploymentLinks(site, { environment, snapshot }, artifact),
  };
}

/** Returns the reported commit. If only its digest was reported, the other fields are null. It returns null if there is no commit. */
function commitOf(origin: Provenance | null) {
  if (origin === null || origin.gitCommit === '') return null;
  const bare: CommitInfo = {
    sha1: origin.gitCommit,
    message: null,
    author: null,
    branch: null,
    timestamp: null,
    url: origin.commitUrl,
  };
  return commitAnswer(origin.commit ?? bare);
}
