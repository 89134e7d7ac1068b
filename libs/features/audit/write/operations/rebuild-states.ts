import { setImmediate } from 'node:timers/promises';
import { kindOf } from '@assurance/contracts/events/streams';
import { Environments } from '@assurance/environments/write/environments';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { type Operation, OperationRefused, type Outcome, type Progress } from '@assurance/event-sourcing/operation';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { Inject, Injectable } from '@nestjs/common';
import { aggregates } from '../../domain/aggregates';
import { repairStream } from './repair-stream';

/** The number of commits in a page. It is small, so that requests run in between. */
const PAGE = 100;

/** `rebuild-heads`: folds every stream again, and writes aggregate states and inline projections that differ. The service may run meanwhile. */
@Injectable()
export class RebuildAggregateStates implements Operation {
  readonly name = 'rebuild-heads';
  readonly usage = '';
  readonly summary = 'folds every stream again and repairs aggregate states and inline projections that differ';

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly streams: Streams,
    private readonly environments: Environments,
  ) {}

  async run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome> {
    if (args.length > 0) throw new OperationRefused('rebuild-heads takes no arguments');
    let [streams, repaired, commits] = [0, 0, 0];
    // After this, reads come from the store and not from memory. At the end, it makes repairs durable.
    await this.ports.documents.persist();
    for (let after: string | null = null; ;) {
      signal.throwIfAborted();
      const page = await this.ports.events.scan(after, PAGE);
      for (const { stream, seq } of page.commits) {
        // Visits each stream once, at its first commit.
        const aggregate = seq === 1 ? aggregates.get(kindOf(stream)) : undefined;
        if (aggregate === undefined) continue;
        streams += 1;
        const repairEpoch = await repairStream(this.streams, aggregate, stream);
        if (repairEpoch === null) continue;
        repaired += 1;
        if (kindOf(stream) === 'environment') this.environments.forgetRepaired(stream, repairEpoch);
      }
      commits += page.commits.length;
      report({ done: commits, of: null, unit: 'commits' });
      if (page.next === null) break;
      after = page.next;
      await setImmediate();
    }
    await this.ports.documents.persist();
    const summary = `Folded ${streams} streams again; ${repaired} of them differed from their commits and were repaired.`;
    return { ok: true, summary, details: { streams, repaired } };
  }
}
