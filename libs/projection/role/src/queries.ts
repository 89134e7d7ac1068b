import {
  answer,
  PORTS,
  type Ports,
  queryOf,
  type Refusal,
  type SharedAnswer,
  SharedAnswers,
  unwrap,
} from '@assurance/http';
import type { Result } from '@assurance/kernel';
import type { PageRequest } from '@assurance/projection-views';
import { Inject, Injectable } from '@nestjs/common';
import { type Query, QueryBus } from '@nestjs/cqrs';
import type { Caller } from './caller';
import { Lookups } from './views/lookups';
import { behindHeader, type Seen } from './views/view';

/** A base class of queries of a caller with these fields and this answer. */
export function queryBy<Fields extends object, Answer>() {
  return queryOf<Fields & { caller: Caller }, Answer>();
}

/** A handler of queries that reads the stores, and aggregate states by name. */
@Injectable()
export abstract class ReadingHandler {
  constructor(
    @Inject(PORTS) protected readonly ports: Ports,
    protected readonly lookups: Lookups,
  ) {}
}

/** A controller whose routes ask queries. */
@Injectable()
export abstract class QueriesController {
  private readonly answers = new SharedAnswers();

  constructor(protected readonly queries: QueryBus) {}

  /** @throws RefusalError if the query is refused */
  protected async ask<Value>(query: Query<Result<Value, Refusal>>): Promise<Value> {
    return unwrap(await this.queries.execute(query));
  }

  /** Answers with what a query found. */
  protected async found(query: Query<Result<unknown, Refusal>>) {
    return answer(200, await this.ask(query));
  }

  /** Answers with what others may get at the same time, made once for all of them. */
  protected async shared(query: Query<Result<SharedAnswer<Result<unknown, Refusal>>, Refusal>>) {
    const { key, make } = await this.ask(query);
    return answer(200, await this.answers.get({ key, make: async () => unwrap(await make()) }));
  }

  /** Answers with a list, which is never refused. */
  protected async listed(query: Query<readonly unknown[] | { readonly total_count: number }>) {
    return answer(200, await this.queries.execute(query));
  }

  /** Answers with what a query found in a view. */
  protected async seen(query: Query<Result<Seen<unknown>, Refusal>>) {
    const seen = await this.ask(query);
    return answer(200, seen.value, behindHeader(seen));
  }
}

/** The page that a list is asked for. */
export function pageAsked({ page, per_page }: { readonly page: number; readonly per_page: number }): PageRequest {
  return { page, perPage: per_page };
}

/** The page that a list may be asked for; null unless one of both parameters is given. */
export function optionalPage(
  { page, per_page }: { readonly page?: number | undefined; readonly per_page?: number | undefined },
  usual: number,
): PageRequest | null {
  return page === undefined && per_page === undefined ? null : { page: page ?? 1, perPage: per_page ?? usual };
}
