import { holderOf } from '@assurance/access/lookups/named';
import { NO_ORGANIZATION, SYSTEM } from '@assurance/contracts/events/streams';
import type { Caller } from '@assurance/http/command-caller';
import { type RoleUnderTest, startRole } from '@assurance/http/testing';
import type { Engines } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import type { Command } from '@nestjs/cqrs';
import { ingestion } from '../role';

/** The result of a command: the answer of its handler, and the types of the events that it recorded, in order. */
export interface RecordedCommand<Answer> {
  readonly answer: Answer;
  readonly events: readonly string[];
}

/** The role ingestion, with an organization `acme`: `ada` is its administrator, `bob` is a member, `eve` is not a member. */
export interface Acme {
  readonly ada: Caller;
  readonly bob: Caller;
  readonly eve: Caller;
  readonly engines: Engines;
  run<Answer>(command: Command<Answer>): Promise<RecordedCommand<Answer>>;
}

const declared = (name: string) => ({ name, email: `${name}@acme.test`, apiKeys: [], enforce: false });

/** For specs of command handlers: starts the role once for all tests of a file, on its own embedded engine. */
export function atAcme(): () => Acme {
  let opened: Awaited<ReturnType<typeof openTemporary>>;
  let role: RoleUnderTest;
  let acme: Acme;
  beforeAll(async () => {
    opened = await openTemporary();
    const { engines } = opened;
    const members = [
      { user: 'ada', role: 'admin', enforce: false },
      { user: 'bob', role: 'member', enforce: false },
    ] as const;
    const users = ['ada', 'bob', 'eve'].map(declared);
    const organizations = [{ name: 'acme', members, serviceAccounts: [] }];
    role = await startRole(ingestion, engines, { bootstrap: { kind: 'file', users, organizations } });
    const idOf = async (name: string) => (await holderOf(engines.documents, NO_ORGANIZATION, 'account', name)) ?? '';
    const org = { id: await idOf('acme'), name: 'acme' };
    const callerNamed = async (name: string) => ({ org, actor: await idOf(name), correlation: 'spec' });
    const run = async <Answer>(command: Command<Answer>) => {
      const before = await eventTypes(engines);
      const answer = await role.commands.execute(command);
      return { answer, events: (await eventTypes(engines)).slice(before.length) };
    };
    acme = {
      ada: await callerNamed('ada'),
      bob: await callerNamed('bob'),
      eve: await callerNamed('eve'),
      engines,
      run,
    };
  });
  afterAll(async () => {
    await role.close();
    await opened.close();
  });
  return () => acme;
}

/** The types of all events, except events that workers of the service record at other times. */
async function eventTypes({ events }: Engines): Promise<string[]> {
  const types: string[] = [];
  for (let next: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof events.scan>> = await events.scan(next, 1_000);
    for (const commit of page.commits)
      if (commit.actor !== SYSTEM) types.push(...commit.events.map(({ type }) => type));
    if (page.next === null) return types;
    next = page.next;
  }
}
