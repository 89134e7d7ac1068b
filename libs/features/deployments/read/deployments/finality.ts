import { baseName } from '@assurance/environments/domain/artifact-line';
import { environmentActivity } from '@assurance/environments/domain/reports';
import { batches } from '@assurance/event-sourcing/projection/batches';
import { sha256 } from '@assurance/kernel';
import { type Documents, getAll } from '@assurance/storage-ports';
import { DAY } from '../../domain/deployment';
import type { LiveDeployment } from '../../domain/draft';
import { type DeploymentRow, lastChanges } from './rows';

function changeId(environment: string, base: string): string {
  return `${environment}/${sha256(base)}`;
}

/** Notes when something of the groups of deployments last came, left or moved, for those with a kind that is not final. */
export async function noteChanges(
  documents: Documents,
  environment: string,
  pending: Iterable<LiveDeployment>,
): Promise<void> {
  const times = new Map<string, number>();
  for (const { looks, changedAt } of pending) {
    const id = changeId(environment, baseName(looks[0]?.name ?? ''));
    times.set(id, Math.max(changedAt, times.get(id) ?? 0));
  }
  for (const ids of batches([...times.keys()])) {
    await documents.collection(lastChanges).merge(ids, (current, id) => {
      const at = times.get(id) ?? 0;
      return (current?.at ?? 0) >= at ? undefined : { at };
    });
  }
}

/**
 * Whether the kinds of deployments are final: no later report changes them.
 *
 * @param documents of the view
 * @param own of the store, for the newest reports of environments
 */
export async function finalityOf(
  documents: Documents,
  own: Documents,
  rows: readonly DeploymentRow[],
): Promise<(row: DeploymentRow) => boolean> {
  const pending = rows.filter(({ final }) => final === undefined);
  if (pending.length === 0) return () => true;
  const idOf = ({ environment, base }: DeploymentRow) => changeId(environment, base);
  const changes = await getAll(documents.collection(lastChanges), pending.map(idOf));
  const environments = pending.map(({ environment }) => environment);
  const activity = await getAll(own.collection(environmentActivity), environments);
  return (row) => {
    if (row.final === true) return true;
    const [change, reported] = [changes.get(idOf(row)), activity.get(row.environment)];
    return change !== undefined && reported !== undefined && reported.lastReportedAt - change.at > DAY;
  };
}
