import { NO_PROVENANCE } from '@assurance/contracts/environments/routes/environment-events';
import type { ChangeKind } from '@assurance/contracts/environments/events';
import type { FlowNameOf } from '@assurance/flows/lookups/flow-names';
import { isoOf } from '@assurance/kernel';
import { CSV_START, csvLine } from '@assurance/kernel/shown/csv';
import { describeChange } from '../../domain/describe';
import type { EnvironmentEventRow } from './rows';

/** Which changes a log shows. */
export interface LogFilter {
  /** Empty for all. */
  readonly types: readonly ChangeKind[];
  /** Present names of flows, or `NO_PROVENANCE`; empty for all. */
  readonly flows: readonly string[];
}

const COLUMNS = [
  'reported_at',
  'environment_name',
  'snapshot_index',
  'type',
  'artifact_name',
  'sha256',
  'flows',
  'repo_name',
  'artifact_compliance',
  'snapshot_compliance',
  'description',
];

/** The beginning of a log, with the names of the columns: those of the fields of an event. */
export const LOG_HEADER = CSV_START + csvLine(COLUMNS);

/** Whether the log shows a change. */
export function isLogged({ types, flows }: LogFilter, row: EnvironmentEventRow, flowNameOf: FlowNameOf): boolean {
  const flowNames = row.flows.length === 0 ? [NO_PROVENANCE] : row.flows.map(flowNameOf);
  return (
    (types.length === 0 || types.includes(row.change)) &&
    (flows.length === 0 || flowNames.some((name) => flows.includes(name)))
  );
}

/**
 * A change as a line of the log.
 *
 * @param environment the present name
 * @param repo the name of the repository of its first flow; null if unknown
 */
export function logLine(
  environment: string,
  repo: string | null,
  flowNameOf: FlowNameOf,
  row: EnvironmentEventRow,
): string {
  const { at, snapshot, change, name, fingerprint, flows, compliant, snapshotCompliant } = row;
  return csvLine([
    isoOf(at),
    environment,
    snapshot,
    change,
    name,
    fingerprint,
    flows.map(flowNameOf).join(' '),
    repo,
    compliant,
    snapshotCompliant,
    describeChange(row),
  ]);
}
