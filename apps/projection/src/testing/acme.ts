import type { Caller } from '@assurance/http/query-caller';
import { type RoleUnderTest, startRole } from '@assurance/http/testing';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { ACME, recordAcme } from '@assurance/testing/recorded/acme';
import type { Query } from '@nestjs/cqrs';
import { projection } from '../role';

export const ada: Caller = { org: ACME.org, actor: ACME.ada };
export const firstPage = { page: 1, perPage: 10 };

/**
 * For specs of query handlers: records the history of organization `acme` on an embedded engine, then starts the role once for all tests of a file.
 * The role builds its views from that history.
 */
export function atAcme(): <Answer>(query: Query<Answer>) => Promise<Answer> {
  let opened: Awaited<ReturnType<typeof openTemporary>>;
  let role: RoleUnderTest;
  beforeAll(async () => {
    opened = await openTemporary();
    await recordAcme(opened.engines);
    role = await startRole(projection, opened.engines);
  });
  afterAll(async () => {
    await role.close();
    await opened.close();
  });
  return (query) => role.queries.execute(query);
}
