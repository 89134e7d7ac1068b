import { organization } from '@assurance/access/domain/organization';
import { type Operation, OperationRefused, type Outcome, type Progress } from '@assurance/event-sourcing/operation';
import { CLOCK, type Clock, PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { scanPages } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';

/** How many blobs are moved in one step, and how many organizations are read at once. */
const PIECE = 20;
const ORGANIZATIONS = 200;

/** `move-blobs`: moves all attachments to the store for new attachments. It may be stopped and run again. */
@Injectable()
export class MoveBlobs implements Operation {
  readonly name = 'move-blobs';
  readonly usage = '';
  readonly summary = 'moves attachments to the store that ASSURANCE_BLOBS_STORE names, while all can be read';

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome> {
    if (args.length > 0) throw new OperationRefused('move-blobs takes no arguments.');
    const { blobs } = this.ports;
    if (blobs.move === undefined) {
      throw new OperationRefused('There is one store of attachments: set ASSURANCE_BLOBS_BUCKET to have a second one.');
    }
    let movedCount = 0;
    const damagedBlobs: { organization: string; sha256: string }[] = [];
    for await (const { id: org } of this.organizations()) {
      for (let after: string | null = null; ;) {
        signal.throwIfAborted();
        // This moves all blobs that were put before now. A process that puts blobs into the old store meanwhile has other settings. The next run
        // moves these.
        const piece = await blobs.move(org, { after, limit: PIECE, before: this.clock.now() + 1 });
        movedCount += piece.blobs;
        damagedBlobs.push(...piece.damaged.map((sha256) => ({ organization: org, sha256 })));
        report({ done: movedCount, of: null, unit: 'blobs' });
        if (piece.next === null) break;
        after = piece.next;
      }
    }
    const summary = `${movedCount} ${movedCount === 1 ? 'blob was' : 'blobs were'} moved.`;
    if (damagedBlobs.length === 0) return { ok: true, summary };
    const all = damagedBlobs.map(({ organization: org, sha256 }) => `${sha256} of ${org}`).join(', ');
    const skippedText = `These stay where they are, because their content is not what their digest says: ${all}.`;
    return { ok: false, summary: `${summary} ${skippedText}`, details: { moved: movedCount, damaged: damagedBlobs } };
  }

  private async *organizations(): AsyncGenerator<{ readonly id: string }> {
    const states = this.ports.documents.collection(organization.states);
    for await (const page of scanPages(states, ORGANIZATIONS)) yield* page.map(({ doc }) => doc);
  }
}
