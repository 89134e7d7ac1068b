import { windowProblem } from '@assurance/contracts/http/routes/window';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Ports } from '@assurance/event-sourcing/tokens';
import { flowNames } from '@assurance/flows/lookups/flow-names';
import { findFlow } from '@assurance/flows/lookups/flows';
import { findRepoIdsByName, reposById } from '@assurance/flows/lookups/repos';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import type { Caller } from '@assurance/http/query-caller';
import { err, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { PageOfDocuments } from '@assurance/event-sourcing/projection/cursor-page';
import { findEnvironment } from '../lookups/environments';
import { environmentEventsView } from './environment-events/follow';
import { type EnvironmentEventFilter, listEnvironmentEvents } from './environment-events/list';
import { isLogged, LOG_HEADER, type LogFilter, logLine } from './environment-events/log-lines';
import type { EnvironmentEventRow } from './environment-events/rows';
import { readRange, type RequestedRange, resolveRange } from './snapshots';

/** How many changes are read at once. */
const PIECE = 500;

/** What happened in an environment, as CSV in pieces, newest first. It ends at the newest change that there was when it began. */
export class GetEnvironmentAuditLog extends queryBy<
  {
    environment: string;
    range: Pick<RequestedRange, 'startTs' | 'endTs'>;
    filter: LogFilter;
    /** Exact names; empty for all. */
    repoNames: readonly string[];
  },
  Result<{ readonly lines: AsyncGenerator<Buffer>; readonly behind: number }, Refusal>
>() {}

@QueryHandler(GetEnvironmentAuditLog)
export class GetEnvironmentAuditLogHandler extends ViewHandler implements IQueryHandler<GetEnvironmentAuditLog> {
  async execute({ caller, range: requestedRange, filter, repoNames, ...query }: GetEnvironmentAuditLog) {
    const { documents, events } = this.ports;
    const { startTs = null, endTs = null } = requestedRange;
    const problem = windowProblem(startTs, endTs);
    if (problem !== null) return err({ kind: 'invalid', errors: { from_timestamp: problem } } as const);
    const intervals = readRange(requestedRange, this.clock.now());
    if (!intervals.ok) return intervals;
    const result = await findEnvironment(this.ports, caller.org, query.environment);
    if (!result.ok) return result;
    const { id: environment, name } = result.value;
    const range = await resolveRange(events, result.value, intervals.value, 'made');
    const ids = await Promise.all(repoNames.map((repo) => findRepoIdsByName(documents, caller.org, repo)));
    const repos = repoNames.length === 0 ? null : [...new Set(ids.flat())];
    const eventFilter = { environment, range, repos, oldestFirst: false };
    // Before the answer begins: what is refused here has a status.
    const first = await this.read(caller, eventFilter, null);
    const flows = await currentNames(this.ports, caller.org, filter.flows);
    return ok({
      lines: this.lines(caller, name, eventFilter, { ...filter, flows }, first.value),
      behind: first.behind,
    });
  }

  private async *lines(
    caller: Caller,
    environment: string,
    eventFilter: EnvironmentEventFilter,
    filter: LogFilter,
    first: PageOfDocuments<EnvironmentEventRow>,
  ): AsyncGenerator<Buffer> {
    yield Buffer.from(LOG_HEADER);
    for (let page = first; ;) {
      const all = page.documents.map(({ doc }) => doc);
      const flowIds = all.flatMap(({ flows }) => flows);
      const flowNameOf = await flowNames(this.ports.documents, flowIds);
      const rows = all.filter((row) => isLogged(filter, row, flowNameOf));
      const repoIds = rows.flatMap(({ repo }) => repo ?? []);
      const repos = await reposById(this.ports.documents, repoIds);
      const lines = rows.map((row) => logLine(environment, repos.get(row.repo ?? '')?.name ?? null, flowNameOf, row));
      if (lines.length > 0) yield Buffer.from(lines.join(''));
      if (!page.more || page.last === null) return;
      page = (await this.read(caller, eventFilter, page.last)).value;
    }
  }

  /** Each page by itself: another generation of the view may serve by the next one, with the same numbers. */
  private read(
    caller: Caller,
    listed: EnvironmentEventFilter,
    after: PageOfDocuments<EnvironmentEventRow>['last'],
  ): Promise<ViewAnswer<PageOfDocuments<EnvironmentEventRow>>> {
    const cursor = after === null ? null : ({ side: 'after', key: after } as const);
    return this.views.read(environmentEventsView, caller, (documents) =>
      listEnvironmentEvents(documents, listed, { page: 1, perPage: PIECE, cursor }),
    );
  }
}

/** The present names of flows that a filter names by any name that they had. A name that no flow has stays as it is. */
async function currentNames(ports: Ports, org: Caller['org'], names: readonly string[]): Promise<string[]> {
  const results = await Promise.all(names.map((name) => findFlow(ports, org, name)));
  return results.map((result) => (result.ok ? result.value.name : result.refusal.name));
}
