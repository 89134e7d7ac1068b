import { user } from '@assurance/access/domain/user';
import { Organizations } from '@assurance/access/write/create-organization';
import { Register } from '@assurance/access/write/register';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import { PATTERNS } from '@assurance/contracts/http/patterns';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { type Operation, OperationRefused, type Outcome } from '@assurance/event-sourcing/operation';
import { Injectable } from '@nestjs/common';

const ACTOR = 'operator';

/** `create-organization`: creates a shared organization that a user administers. It is for installations where users may not create organizations. */
@Injectable()
export class MakeOrganization implements Operation {
  readonly name = 'create-organization';
  readonly usage = '<name> <administrator>';
  readonly summary = 'makes a shared organization that the named user administers';

  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly organizations: Organizations,
  ) {}

  async run([name = '', administrator = '', ...more]: readonly string[]): Promise<Outcome> {
    if (!PATTERNS.account.matches(name) || administrator === '' || more.length > 0) {
      throw new OperationRefused('create-organization needs the name of an organization and the name of a user');
    }
    const id = await this.register.find(NO_ORGANIZATION, 'account', administrator);
    const existing = id === null ? null : (await this.streams.load(user, streams.user(id))).state;
    if (existing === null || existing.removed === true)
      throw new OperationRefused(`There is no user '${administrator}'`);
    const founder = { user: existing.id, userName: existing.name };
    const by = { actor: ACTOR, correlation: ACTOR };
    const result = await this.organizations.create(name, founder, Infinity, by);
    if (!result.ok) throw new OperationRefused(`The name '${name}' is taken`);
    const summary = `Organization '${name}' ${result.value === 'made' ? 'was created' : 'exists already'}; '${administrator}' administers it.`;
    return { ok: true, summary };
  }
}
