import { decideRemoveUser } from '@assurance/access/domain/remove-user';
import { user } from '@assurance/access/domain/user';
import { Memberships } from '@assurance/access/write/memberships';
import { Register } from '@assurance/access/write/register';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { type Operation, OperationRefused, type Outcome } from '@assurance/event-sourcing/operation';
import { Injectable } from '@nestjs/common';

const ACTOR = 'operator';

/** `remove-user`: removes a user and all keys of the user. The user must not belong to a shared organization. */
@Injectable()
export class RemoveUser implements Operation {
  readonly name = 'remove-user';
  readonly usage = '<name>';
  readonly summary = 'removes a user who belongs to no shared organization any more, with all keys';

  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly memberships: Memberships,
  ) {}

  async run([name = '', ...more]: readonly string[]): Promise<Outcome> {
    if (name === '' || more.length > 0) throw new OperationRefused('remove-user needs the name of one user');
    const id = await this.register.find(NO_ORGANIZATION, 'account', name);
    const existing = id === null ? null : (await this.streams.load(user, streams.user(id))).state;
    if (id === null || existing === null) throw new OperationRefused(`There is no user '${name}'`);
    const by = { org: NO_ORGANIZATION, actor: ACTOR, correlation: ACTOR };
    const ended = await this.streams.run(user, streams.user(id), by, async ({ state }) => {
      const organizations = (await this.memberships.organizationsOf(id)).map((organization) => organization.name);
      return decideRemoveUser(state, {}, { organizations });
    });
    if (ended.kind === 'refused') {
      const all = ended.refusal.organizations.join(', ');
      throw new OperationRefused(`User '${name}' is a member of ${all}: remove the user there first`);
    }
    // Write first, read second, because an invitation may be accepted at the same time. Its handler does the same, so one of the two sees the other.
    for (const place of await this.memberships.organizationsOf(id)) {
      const change = { user: id, userName: name, source: 'script', changedBy: ACTOR, role: null } as const;
      await this.memberships.change(place.id, change, { ...by, org: place.id });
    }
    const summary =
      ended.kind === 'nothing' ? `User '${name}' had been removed already.` : `User '${name}' was removed.`;
    return { ok: true, summary };
  }
}
