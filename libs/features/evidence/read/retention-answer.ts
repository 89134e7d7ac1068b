import type { ActorNameLookup } from '@assurance/access/lookups/actors';
import type { DroppedAnswer, RetentionAnswer } from '@assurance/contracts/audit/answers/retention';
import { RETAINED } from '@assurance/contracts/audit/events';
import { streams } from '@assurance/contracts/events/streams';
import { flowsById } from '@assurance/flows/read/trails/list';
import type { Documents } from '@assurance/storage-ports';
import { NO_RETENTION, retention } from '../domain/retention';
import type { DropInfo, Retention } from '../domain/retention-state';

/** Returns the retention rules and legal holds of an organization, or null if it never set any. */
export function retentionOf(documents: Documents, org: string): Promise<Retention | null> {
  return documents.collection(retention.states).get(streams.retention(org));
}

export function droppedAnswer({ what, days, before, at, seq }: DropInfo): DroppedAnswer {
  return { what, older_than_days: days, before: before / 1000, dropped_at: at / 1000, event: seq };
}

/** Builds the API answer for the retention of an organization. */
export async function retentionAnswer(
  documents: Documents,
  org: string,
  nameOf: ActorNameLookup,
): Promise<RetentionAnswer> {
  const { days, holds, dropped } = (await retentionOf(documents, org)) ?? NO_RETENTION;
  const inForce = Object.values(holds).filter(({ released }) => !released);
  const flowIds = inForce.map(({ flow }) => flow);
  const flows = await flowsById(documents, flowIds);
  const shown = inForce
    .sort((a, b) => b.at - a.at)
    .map(async ({ flow, trail, reason, by, at, goneBefore }) => ({
      flow: flows.get(flow)?.name ?? flow,
      trail,
      reason,
      placed_by: await nameOf(by),
      placed_at: at / 1000,
      dropped_before: (['attachments', 'payloads'] as const).flatMap((what) =>
        goneBefore[what] === 0 ? [] : [{ what, before: goneBefore[what] / 1000 }],
      ),
    }));
  return {
    attachments_days: days.attachments,
    payloads_days: days.payloads,
    snapshots_days: days.snapshots,
    holds: await Promise.all(shown),
    dropped: RETAINED.flatMap((what) => dropped[what].map(droppedAnswer)),
  };
}
