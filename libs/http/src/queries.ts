import type { Position } from '@assurance/contracts/http/params';
import type { Route } from '@assurance/contracts/http/route';
import { type Window, windowOf, windowProblem } from '@assurance/contracts/http/routes/window';
import { queryOf } from '@assurance/event-sourcing/message';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import {
  linkHeaderOf,
  type ListParameters,
  type NeighbourLinks,
  neighbourLinks,
  type PageRequest,
} from '@assurance/event-sourcing/projection/listing';
import { behindHeader, type ViewAnswer, Views } from '@assurance/event-sourcing/projection/views';
import { CLOCK, type Clock, PORTS, type Ports, SETTINGS, type Settings } from '@assurance/event-sourcing/tokens';
import type { Result } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { type Query, QueryBus } from '@nestjs/cqrs';
import { answer } from './answer';
import type { Call } from './call';
import { type SharedAnswer, SharedAnswers } from './large-answers/shared-answers';
import type { Caller } from './query-caller';
import { type Refusal, RefusalError, unwrap } from './refusals';

/** Makes a base class for queries of a caller with these fields and this answer. */
export function queryBy<Fields extends object, Answer>() {
  return queryOf<Fields & { caller: Caller }, Answer>();
}

/** A handler of queries that reads the stores, and aggregate states by name. */
@Injectable()
export abstract class ReadingHandler {
  @Inject(PORTS) protected readonly ports!: Ports;
  @Inject(SETTINGS) protected readonly settings!: Settings;
  @Inject(CLOCK) protected readonly clock!: Clock;
}

/** A handler of queries that reads views. */
@Injectable()
export abstract class ViewHandler extends ReadingHandler {
  @Inject(Views) protected readonly views!: Views;
}

/** A controller with routes that run queries. */
@Injectable()
export abstract class QueriesController {
  private readonly answers = new SharedAnswers();
  @Inject(SETTINGS) private readonly settings!: Settings;
  @Inject(CLOCK) protected readonly clock!: Clock;

  constructor(protected readonly queries: QueryBus) {}

  /** @throws RefusalError if the query is refused */
  protected async runQuery<Value>(query: Query<Result<Value, Refusal>>): Promise<Value> {
    return unwrap(await this.queries.execute(query));
  }

  /** Answers with the result of a query. */
  protected async answerQuery(query: Query<Result<unknown, Refusal>>) {
    return answer(200, await this.runQuery(query));
  }

  /** Answers with a result that is made once for all requests that wait for it. */
  protected async answerShared(query: Query<Result<SharedAnswer<Result<unknown, Refusal>>, Refusal>>) {
    const { key, make } = await this.runQuery(query);
    return answer(200, await this.answers.get({ key, make: async () => unwrap(await make()) }));
  }

  /** Answers with a list. The query is never refused. */
  protected async answerList(query: Query<readonly unknown[] | { readonly total_count: number }>) {
    return answer(200, await this.queries.execute(query));
  }

  /** Answers with a page of a list, and links to its neighbours. */
  protected async answerListPage(route: Route, call: ListCall, query: Query<ListedPage<unknown>>) {
    const { body, ends } = await this.queries.execute(query);
    return answer(200, body, this.linkHeader(route, call, ends));
  }

  /** Answers with the result of a query to a view. */
  protected async answerViewQuery(query: Query<Result<ViewAnswer<unknown>, Refusal>>) {
    return viewAnswer(await this.runQuery(query));
  }

  /** Answers with the result of a query to a view that is never refused. */
  protected async answerView(query: Query<ViewAnswer<unknown>>) {
    return viewAnswer(await this.queries.execute(query));
  }

  /** Answers with a page of a list in a view, and links to its neighbours. */
  protected async answerViewPage(route: Route, call: ListCall, query: Query<Result<ViewPage<unknown>, Refusal>>) {
    const result = await this.runQuery(query);
    return answer(200, result.value, { ...behindHeader(result), ...this.linkHeader(route, call, result.ends) });
  }

  /** The window of time that a request asks for, in epoch seconds. @throws RefusalError for a window that ends before it starts */
  protected window(query: Parameters<typeof windowOf>[0]): Window {
    const window = windowOf(query, this.clock.now());
    if ('errors' in window) throw new RefusalError({ kind: 'invalid', errors: window.errors });
    return window.value;
  }

  /**
   * A `Link` header with the neighbours of a page, for bodies without such links.
   *
   * @param fixed parameters that replace the parameters of the request
   */
  protected linkHeader(
    route: Route,
    call: ListCall,
    ends: PageEnds,
    fixed: ListParameters = {},
    page = pageRequestOf(call.query),
  ): Readonly<Record<string, string>> {
    return linkHeaderOf(this.neighbourLinks(route, call, ends, fixed, page));
  }

  /** The same links for a body; null for an empty page. */
  protected neighbourLinks(
    { path }: Route,
    call: ListCall,
    ends: PageEnds,
    fixedParameters: ListParameters = {},
    page = pageRequestOf(call.query),
  ): NeighbourLinks | null {
    if (ends.first === null) return null;
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(call.params[name as keyof typeof call.params] ?? ''),
    );
    const { page: _page, per_page: _size, after: _after, before: _before, ...filter } = call.query;
    const filters = Object.entries(filter).filter(
      ([, value]) => value !== undefined && value !== null && value !== false,
    );
    const parameters = { ...(Object.fromEntries(filters) as ListParameters), ...fixedParameters };
    return neighbourLinks(this.settings.publicUrl + address, parameters, page, ends);
  }
}

/** A page of a list in a view, and the documents at its ends. */
export interface ViewPage<T> extends ViewAnswer<T> {
  readonly ends: PageEnds;
}

/** A page of a list that is not in a view, and the documents at its ends. */
export interface ListedPage<Body> {
  readonly body: Body;
  readonly ends: PageEnds;
}

interface PageQuery {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly after?: Position | undefined;
  readonly before?: Position | undefined;
}

/** A call of a list that answers by pages. */
type ListCall = Pick<Call<unknown, PageQuery>, 'params' | 'query'>;

/**
 * The requested page of a list.
 *
 * @throws RefusalError if both `after` and `before` are given
 */
export function pageRequestOf({ page = 1, per_page = 15, after, before }: PageQuery): PageRequest {
  if (after !== undefined && before !== undefined) {
    throw new RefusalError({ kind: 'invalid', errors: { before: "Input should not be given together with 'after'" } });
  }
  const cursor =
    after !== undefined
      ? ({ side: 'after', key: after } as const)
      : before !== undefined
        ? ({ side: 'before', key: before } as const)
        : null;
  return { page, perPage: per_page, cursor };
}

/** The requested page of a list; null unless one of its parameters is given. */
export function optionalPage({ page, per_page, after, before }: PageQuery, defaultSize: number): PageRequest | null {
  const isPaged = [page, per_page, after, before].some((value) => value !== undefined);
  return isPaged ? pageRequestOf({ page, per_page: per_page ?? defaultSize, after, before }) : null;
}

/**
 * The milliseconds between two times.
 *
 * @param from epoch seconds; null: there is no start
 * @param to epoch seconds; null: there is no end
 * @param field the parameter of the start
 * @throws RefusalError if they end before they start
 */
export function millisecondsBetween(from: number | null, to: number | null, field: string) {
  const problem = windowProblem(from, to);
  if (problem !== null) throw new RefusalError({ kind: 'invalid', errors: { [field]: problem } });
  return {
    from: from === null ? null : Math.ceil(from * 1_000),
    to: to === null ? null : Math.floor(to * 1_000),
  };
}

function viewAnswer(result: ViewAnswer<unknown>) {
  return answer(200, result.value, behindHeader(result));
}
