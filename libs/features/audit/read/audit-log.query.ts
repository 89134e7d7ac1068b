import { actorsOf } from '@assurance/access/lookups/actors';
import type { AuditLogPage } from '@assurance/contracts/audit/answers/audit-log';
import type { EventFeedAnswer } from '@assurance/contracts/audit/answers/events';
import { cursorText, type FeedCursor } from '@assurance/contracts/audit/feed-cursor';
import { linkedPage, type ListParameters, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import type { Caller } from '@assurance/http/query-caller';
import { PublicEventsOfCommits } from '@assurance/notifications/lookups/public-events';
import type { Documents } from '@assurance/storage-ports';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { auditLogView } from './audit-log/follow';
import { type ChangeFilter, listChanges, type NameLookups } from './audit-log/list';
import { namesOfChanges } from './audit-log/names';
import { readFeed } from './event-feed/read';

/** One page of the administrative changes. `asked` are the parameters of the request, for links to other pages. */
export class ListAuditLog extends queryBy<
  { filter: Omit<ChangeFilter, 'org'>; page: PageRequest; parameters: ListParameters },
  ViewAnswer<AuditLogPage>
>() {}

@QueryHandler(ListAuditLog)
export class ListAuditLogHandler extends ViewHandler implements IQueryHandler<ListAuditLog> {
  async execute({ caller, filter, page, parameters }: ListAuditLog): Promise<ViewAnswer<AuditLogPage>> {
    const names = namesIn(this.ports.documents, caller);
    const { value, behind } = await this.views.read(auditLogView, caller, (documents) =>
      listChanges(documents, { ...filter, org: caller.org.id }, page, names),
    );
    const { entries, ...ends } = value;
    const address = `${this.settings.publicUrl}/api/v2/audit-log/${encodeURIComponent(caller.org.name)}`;
    return { behind, value: { ...linkedPage(address, parameters, page, ends), entries } };
  }
}

/** Events after a cursor, in the order of arrival. */
export class ListEvents extends queryBy<
  { cursor: FeedCursor | null; types: readonly string[]; limit: number },
  ViewAnswer<EventFeedAnswer>
>() {}

@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  private readonly publicEvents: PublicEventsOfCommits;

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly views: Views,
  ) {
    this.publicEvents = new PublicEventsOfCommits(ports.events);
  }

  async execute({ caller, ...request }: ListEvents): Promise<ViewAnswer<EventFeedAnswer>> {
    const { documents, events } = this.ports;
    const names = namesIn(documents, caller);
    const { value, behind } = await this.views.read(auditLogView, caller, async (own) => {
      // The documents are stored durably first, so that the cursor in the answer is still known after a crash.
      await documents.persist();
      return readFeed(
        { documents: own, events, publicEvents: this.publicEvents, names },
        { org: caller.org, ...request },
      );
    });
    const { cursor, isReset, ...part } = value;
    return { behind, value: { ...part, cursor: cursorText(cursor), reset: isReset } };
  }
}

function namesIn(documents: Documents, { org }: Caller): NameLookups {
  return { nameOf: actorsOf(documents), namesOf: (rows) => namesOfChanges(documents, org, rows) };
}
