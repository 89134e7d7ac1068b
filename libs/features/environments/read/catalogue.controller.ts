import { WHOLE_LIST_MAX } from '@assurance/contracts/environments/answers/catalogue';
import { routes } from '@assurance/contracts/http/routes/routes';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { behindHeader } from '@assurance/event-sourcing/projection/views';
import { answer, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { optionalPage, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { ListEnvironments, ListFlows, type WholeList } from './catalogue';
import { FindAnything } from './find-anything';

/** Characters of a text that is looked for. */
const TEXT_MAX = 100;

/** Lists that clients ask for with pages or without. */
@Controller()
export class CatalogueController extends QueriesController {
  @Route(routes.findAnything)
  async find(@RequestCall() call: CallOf<typeof routes.findAnything>) {
    const { q = '', limit } = call.query;
    const text = q.trim();
    if (text === '' || text.length > TEXT_MAX) {
      throw new RefusalError({ kind: 'invalid', errors: { q: `Give a text of 1 to ${TEXT_MAX} characters` } });
    }
    return this.answerView(new FindAnything({ caller: callerOf(call), principal: call.principal, text, limit }));
  }

  @Route(routes.listEnvironments)
  async environments(@RequestCall() call: CallOf<typeof routes.listEnvironments>) {
    const { name, type, state, late, tag, space_id, sort, sort_direction } = call.query;
    const filter = {
      name,
      types: type,
      states: state,
      isLate: late,
      tags: tag,
      spaces: space_id,
      sort,
      direction: sort_direction,
    };
    const page = optionalPage(call.query, 15);
    const list = await this.queries.execute(new ListEnvironments({ caller: callerOf(call), filter, page }));
    return answer(200, list.body, { ...cutHeader(list), ...this.links(routes.listEnvironments, call, list, page) });
  }

  @Route(routes.listFlows)
  async flows(@RequestCall() call: CallOf<typeof routes.listFlows>) {
    const { search_by_name, case_sensitive, tag, space_id, sort, sort_direction } = call.query;
    const filter = {
      name: search_by_name,
      caseSensitive: case_sensitive,
      tags: tag,
      spaces: space_id,
      sort,
      direction: sort_direction,
    };
    const page = optionalPage(call.query, 20);
    const result = await this.queries.execute(new ListFlows({ caller: callerOf(call), filter, page }));
    const links = this.links(routes.listFlows, call, result.value, page);
    return answer(200, result.value.body, { ...cutHeader(result.value), ...links, ...behindHeader(result) });
  }

  private links(
    route: typeof routes.listEnvironments | typeof routes.listFlows,
    call: Parameters<CatalogueController['linkHeader']>[1],
    { ends }: WholeList<unknown, unknown>,
    page: PageRequest | null,
  ) {
    return page === null || ends === null ? {} : this.linkHeader(route, call, ends, {}, page);
  }
}

/** Says that a bare list is not all there is. */
function cutHeader({ body, count }: WholeList<unknown, unknown>): Readonly<Record<string, string>> {
  return Array.isArray(body) && count > WHOLE_LIST_MAX ? { 'x-total-count': String(count) } : {};
}
