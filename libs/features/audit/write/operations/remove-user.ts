import { decideRemoveUser, type RemoveUserRefusal } from '@assurance/access/domain/remove-user';
import { user } from '@assurance/access/domain/user';
import { Memberships } from '@assurance/access/write/memberships';
import { Register } from '@assurance/access/write/register';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import { environment } from '@assurance/environments/domain/environment';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { type Operation, OperationRefused, type Outcome } from '@assurance/event-sourcing/operation';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { flow } from '@assurance/flows/domain/flow';
import { Inject, Injectable } from '@nestjs/common';

const ACTOR = 'operator';
const CONFIRM = '--confirm';

/**
 * `remove-user`: removes a user and all keys of the user. The user must not belong to a shared organization. If the personal organization stores
 * something, it must be confirmed: nobody can read that until a bootstrap file declares the user again.
 */
@Injectable()
export class RemoveUser implements Operation {
  readonly name = 'remove-user';
  readonly usage = `<name> [${CONFIRM} <name>]`;
  readonly summary = 'removes a user who belongs to no shared organization any more, with all keys';

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly memberships: Memberships,
  ) {}

  async run([name = '', confirm, again, ...more]: readonly string[]): Promise<Outcome> {
    const isConfirmed = confirm === CONFIRM && again === name;
    if (name === '' || (confirm !== undefined && !isConfirmed) || more.length > 0)
      throw new OperationRefused(`remove-user needs the name of one user; ${CONFIRM} needs the same name`);
    const id = await this.register.find(NO_ORGANIZATION, 'account', name);
    const existing = id === null ? null : (await this.streams.load(user, streams.user(id))).state;
    if (id === null || existing === null) throw new OperationRefused(`There is no user '${name}'`);
    const by = { org: NO_ORGANIZATION, actor: ACTOR, correlation: ACTOR };
    const outcome = await this.streams.run(user, streams.user(id), by, async ({ state }) => {
      const organizations = (await this.memberships.organizationsOf(id)).map((organization) => organization.name);
      return decideRemoveUser(state, { isConfirmed }, { organizations, stores: await this.stores(id) });
    });
    if (outcome.kind === 'refused') throw new OperationRefused(refusalOf(name, outcome.refusal));
    // Write first, read second, because an invitation may be accepted at the same time. Its handler does the same, so one of the two sees the other.
    for (const place of await this.memberships.organizationsOf(id)) {
      const change = { user: id, userName: name, source: 'script', changedBy: ACTOR, role: null } as const;
      await this.memberships.change(place.id, change, { ...by, org: place.id });
    }
    const summary =
      outcome.kind === 'nothing' ? `User '${name}' had been removed already.` : `User '${name}' was removed.`;
    return { ok: true, summary };
  }

  /** Whether the personal organization of a user has environments or flows. Its id is that of the user. */
  private async stores(org: string): Promise<boolean> {
    const query = { where: { org, archived: { in: [false, true] } }, order: orderBy('name'), limit: 1 };
    const { documents } = this.ports;
    const all = [documents.collection(environment.states).find(query), documents.collection(flow.states).find(query)];
    return (await Promise.all(all)).some((found) => found.length > 0);
  }
}

function refusalOf(name: string, refusal: RemoveUserRefusal): string {
  if (refusal.kind === 'user-belongs') {
    return `User '${name}' is a member of ${refusal.organizations.join(', ')}: remove the user there first`;
  }
  const what = `The personal organization of '${name}' has environments or flows`;
  const then = 'Nobody could read them until a bootstrap file declares the user again';
  return `${what}. ${then}. Give ${CONFIRM} ${name} to remove the user all the same`;
}
