import type { Checkpointer } from '@assurance/event-sourcing/checkpoints/checkpointer';
import { type Operation, OperationRefused } from '@assurance/event-sourcing/operation';

/** `checkpoint`: signs a checkpoint at once instead of within a minute, for example before a backup, or to note its hash elsewhere. */
export function checkpointOperation(checkpointer: Pick<Checkpointer, 'sign'>): Operation {
  return {
    name: 'checkpoint',
    usage: '',
    summary: 'signs a checkpoint over the commits since the last one',
    run: async (args) => {
      if (args.length > 0) throw new OperationRefused('checkpoint takes no arguments.');
      const count = await checkpointer.sign();
      const summary =
        count === 0
          ? 'Nothing was left to sign.'
          : `${count} ${count === 1 ? 'checkpoint was' : 'checkpoints were'} signed.`;
      return { ok: true, summary, details: { made: count } };
    },
  };
}
