import { setTimeout as sleep } from 'node:timers/promises';
import { Checkpointer } from '@assurance/event-sourcing/checkpoints/checkpointer';
import type { ChangeLog } from '@assurance/event-sourcing/relay/change-source';
import type { Signers } from '@assurance/event-sourcing/tokens';
import type { IdentifyContext, Role } from '@assurance/http';
import type { Engines } from '@assurance/storage-ports';

/** Engines, and the list of their new commits if they provide one. */
export type EnginesWithChanges = Engines & { readonly changes?: ChangeLog };

/** The signer of checkpoints. Only a process with a role that copies commits to the feed has one; null in other processes. */
export function checkpointerOf(
  roles: readonly Role[],
  { events, changes }: EnginesWithChanges,
  [signer]: Signers,
  { clock, ids, logger }: Pick<IdentifyContext, 'clock' | 'ids' | 'logger'>,
): Checkpointer | null {
  if (changes === undefined || !roles.some(({ needs }) => needs.includes('relay'))) return null;
  return new Checkpointer({
    changes,
    events,
    signer,
    now: () => clock.now(),
    id: () => ids.next(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
    onFault: (err) => logger.error({ err }, 'a checkpoint could not be signed'),
  });
}
