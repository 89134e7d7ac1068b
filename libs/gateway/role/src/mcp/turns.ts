import { setImmediate } from 'node:timers/promises';
import { RefusalError } from '@assurance/http';

/** How many questions of one caller wait. */
const WAITING_MAX = 20;

/**
 * Answers the questions of each caller one after the other, and lets other requests run between two of them: a question takes some milliseconds of
 * the main thread, so many at once would hold up everybody.
 */
export class QuestionTurns {
  /** By caller: who waits while a question is answered. */
  private readonly lines = new Map<string, (() => void)[]>();

  /** @throws RefusalError `share-taken` when too many wait; what `work` throws */
  async take<Done>(caller: string, work: () => Promise<Done>): Promise<Done> {
    const line = this.lines.get(caller);
    if (line === undefined) this.lines.set(caller, []);
    else {
      if (line.length >= WAITING_MAX) {
        throw new RefusalError({ kind: 'share-taken', whose: 'caller', of: 'requests', limit: WAITING_MAX });
      }
      await new Promise<void>((go) => line.push(go));
    }
    try {
      await setImmediate();
      return await work();
    } finally {
      const go = this.lines.get(caller)?.shift();
      if (go === undefined) this.lines.delete(caller);
      else go();
    }
  }
}
