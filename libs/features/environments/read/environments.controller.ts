import { Readable } from 'node:stream';
import { routes } from '@assurance/contracts/http/routes/routes';
import { behindHeader } from '@assurance/event-sourcing/projection/views';
import { answer, type CallOf, RequestCall, Route } from '@assurance/http';
import { optionalPage, pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { CompareEnvironments, DiffEnvironments } from './compare';
import { GetEnvironmentAuditLog } from './environment-audit-log';
import { ListEnvironmentEvents } from './environment-events';
import { GetEnvironment, GetSnapshot, ListSnapshots } from './environments';

/** Environments, their snapshots and their events. */
@Controller()
export class EnvironmentQueriesController extends QueriesController {
  @Route(routes.getEnvironment)
  async get(@RequestCall() call: CallOf<typeof routes.getEnvironment>) {
    return this.answerQuery(new GetEnvironment({ caller: callerOf(call), name: call.params.env }));
  }

  @Route(routes.listSnapshots)
  async snapshots(@RequestCall() call: CallOf<typeof routes.listSnapshots>) {
    const { interval, reverse } = call.query;
    const { items, range, ends } = await this.runQuery(
      new ListSnapshots({
        caller: callerOf(call),
        environment: call.params.env,
        page: pageRequestOf(call.query),
        interval,
        oldestFirst: reverse,
      }),
    );
    const pageParameters = { interval: `${range.first}..${range.last}` };
    return answer(200, items, this.linkHeader(routes.listSnapshots, call, ends, pageParameters));
  }

  @Route(routes.getSnapshot)
  async snapshot(@RequestCall() call: CallOf<typeof routes.getSnapshot>) {
    const { env, expr } = call.params;
    const { show, search, cause } = call.query;
    const selection = { show, search, cause, page: optionalPage(call.query, 50) };
    return this.answerShared(
      new GetSnapshot({ caller: callerOf(call), environment: env, expression: expr, selection }),
    );
  }

  @Route(routes.listEnvironmentEvents)
  async events(@RequestCall() call: CallOf<typeof routes.listEnvironmentEvents>) {
    const { interval, start, end, start_ts, end_ts, repo_name, reverse } = call.query;
    const range = { interval, start, end, startTs: start_ts, endTs: end_ts };
    const result = await this.runQuery(
      new ListEnvironmentEvents({
        caller: callerOf(call),
        environment: call.params.env,
        page: pageRequestOf(call.query),
        range,
        repoNames: repo_name,
        oldestFirst: reverse,
      }),
    );
    // What was asked for relative to now is followed as it was resolved.
    const pageParameters = {
      interval: null,
      start_ts: null,
      end_ts: null,
      start: result.range.first,
      end: result.range.last,
    };
    const links = this.linkHeader(routes.listEnvironmentEvents, call, result.ends, pageParameters);
    return answer(200, result.value, { ...behindHeader(result), ...links });
  }

  @Route(routes.getEnvironmentAuditLog)
  async auditLog(@RequestCall() call: CallOf<typeof routes.getEnvironmentAuditLog>) {
    const { env } = call.params;
    const { from_timestamp: startTs, to_timestamp: endTs, event_types, flow_names, repo_names } = call.query;
    const { lines, behind } = await this.runQuery(
      new GetEnvironmentAuditLog({
        caller: callerOf(call),
        environment: env,
        range: { startTs, endTs },
        filter: { types: event_types, flows: flow_names },
        repoNames: repo_names,
      }),
    );
    return answer(200, Readable.from(lines, { objectMode: false }), {
      'content-type': 'text/csv; charset=utf-8',
      ...behindHeader({ value: null, behind }),
      'content-disposition': `attachment; filename="auditlog-${env}.csv"`,
    });
  }

  @Route(routes.diffEnvironments)
  async diff(@RequestCall() call: CallOf<typeof routes.diffEnvironments>) {
    const { snappish1, snappish2 } = call.query;
    const page = optionalPage(call.query, 50);
    return this.answerShared(new DiffEnvironments({ caller: callerOf(call), snappish1, snappish2, page }));
  }

  @Route(routes.compareEnvironments)
  async compare(@RequestCall() call: CallOf<typeof routes.compareEnvironments>) {
    const { from, to, kind } = call.query;
    const request = { kinds: kind, page: pageRequestOf(call.query) };
    return this.answerShared(new CompareEnvironments({ caller: callerOf(call), from, to, request }));
  }
}
