import { Generations, isCurrent } from '@assurance/event-sourcing/projection/generations';
import type { Caller } from '@assurance/http/query-caller';
import { type RoleUnderTest, startRole } from '@assurance/http/testing';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { until } from '@assurance/testing/conformance/feed/listener';
import { ACME, recordAcme } from '@assurance/testing/recorded/acme';
import type { Query } from '@nestjs/cqrs';
import { projection } from '../role';
import { views } from '../views';

export const ada: Caller = { org: ACME.org, actor: ACME.ada };
export const firstPage = { page: 1, perPage: 10 };

/**
 * For specs of query handlers: records the history of organization `acme` on an embedded engine, then starts the role once for all tests of a file.
 * The role builds its views from that history. No query comes before all of them are built, because it would be refused if that takes long.
 */
export function atAcme(): <Answer>(query: Query<Answer>) => Promise<Answer> {
  let opened: Awaited<ReturnType<typeof openTemporary>>;
  let role: RoleUnderTest;
  beforeAll(async () => {
    opened = await openTemporary();
    await recordAcme(opened.engines);
    role = await startRole(projection, opened.engines);
    const generations = new Generations(opened.engines);
    await until(async () => {
      const current = await generations.current(views);
      return views.every((view) => isCurrent(view, current(view)));
    });
  });
  afterAll(async () => {
    await role.close();
    await opened.close();
  });
  return (query) => role.queries.execute(query);
}
