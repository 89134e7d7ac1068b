import { deploymentLinks } from '@assurance/contracts/deployments/links';
import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { Site } from '@assurance/contracts/http/links';
import type { FlowNameOf } from '@assurance/flows/lookups/flow-names';
import { describeChange } from '../../domain/describe';
import { annotationType } from '../snapshots/answer';
import type { EnvironmentEventRow } from './rows';

/**
 * The types of events of an artifact, by their names in answers.
 *
 * @param environment the present name
 */
export function environmentEvent(
  site: Site,
  environment: string,
  flowNameOf: FlowNameOf,
  row: EnvironmentEventRow,
): EnvironmentEvent {
  const { snapshot, fingerprint, name, at, compliant, artifactId, diffUrl } = row;
  const flows = row.flows.map(flowNameOf);
  const [flow] = flows;
  const artifact = flow === undefined || artifactId === null ? null : { flow, fingerprint, artifactId };
  return {
    environment_name: environment,
    snapshot_index: snapshot,
    artifact_name: name,
    sha256: fingerprint,
    description: describeChange(row),
    reported_at: at / 1000,
    pipeline: flow ?? '',
    type: annotationType(row),
    artifact_compliance: compliant,
    snapshot_compliance: row.snapshotCompliant,
    flows: flows.map((flow_name) => ({ flow_name, deployments: null })),
    deployments: [],
    code_diff: diffUrl,
    _links: deploymentLinks(site, { environment, snapshot }, artifact),
  };
}
