import { organization } from '@assurance/access/domain/organization';
import { streams } from '@assurance/contracts/events/streams';
import { type Operation, OperationRefused, type Outcome } from '@assurance/event-sourcing/operation';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { storageUsage } from '@assurance/http/storage-usage';
import { getAll } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';

/** How many organizations are listed. */
const LISTED = 20;

/** `stored-bytes`: lists the organizations that store the most bytes. */
@Injectable()
export class ListStoredBytes implements Operation {
  readonly name = 'stored-bytes';
  readonly usage = '';
  readonly summary = `lists the ${LISTED} organizations that store most`;

  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  async run(args: readonly string[]): Promise<Outcome> {
    if (args.length > 0) throw new OperationRefused('stored-bytes takes no arguments.');
    const [events, attachments] = [await this.largestUsage('events'), await this.largestUsage('attachments')];
    const ids = [...new Set([...events, ...attachments].map(({ id }) => id))];
    const aggregateStates = await getAll(
      this.ports.documents.collection(organization.states),
      ids.map(streams.organization),
    );
    const withNames = (of: typeof events) =>
      of.map(({ id, doc }) => ({ organization: aggregateStates.get(streams.organization(id))?.name ?? id, ...doc }));
    const [first] = withNames(events);
    const summary =
      first === undefined
        ? 'Nothing is stored yet.'
        : `'${first.organization}' stores most: ${first.events} bytes of events and ${first.attachments} bytes of attachments.`;
    return { ok: true, summary, details: { events: withNames(events), attachments: withNames(attachments) } };
  }

  private largestUsage(kind: 'events' | 'attachments') {
    const usage = this.ports.documents.collection(storageUsage);
    return usage.find({ where: {}, order: [[kind, 'desc']], limit: LISTED });
  }
}
