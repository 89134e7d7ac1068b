import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Ids, Logger, Role, Signers } from '@assurance/http';
import { Checkpointer } from '@assurance/storage-records';
import type { Engines } from '@assurance/storage-ports';
import type { ChangeLog } from '@assurance/storage-records';

/** Engines, with their new commits if they can list them. */
export type Changing = Engines & { readonly changes?: ChangeLog };

interface Surroundings {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'next'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** Signs checkpoints in a process with the role that takes commits on; null where it has none. */
export function checkpointerOf(
  roles: readonly Role[],
  { events, changes }: Changing,
  [signer]: Signers,
  { clock, ids, logger }: Surroundings,
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
