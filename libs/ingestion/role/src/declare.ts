import { NO_ORGANIZATION, type Role, streams } from '@assurance/contracts-events';
import { type BootstrapKey, type BootstrapOrganization, type BootstrapUser, CannotStart } from '@assurance/http';
import {
  decideAddKey,
  decideDeclareOrganization,
  decideDeclareServiceAccount,
  decideDeclareUser,
  decideSetMember,
} from '@assurance/ingestion-domain';
import { sha256 } from '@assurance/kernel';
import { membership, organization, serviceAccount, user } from '@assurance/model-access';
import type { Register } from './register';
import type { By, Streams } from './streams';

const ACTOR = 'bootstrap';
const AT_ONCE = 16;

/**
 * Makes organizations, users and keys what a declaration says: adds and changes, never removes. A second time changes nothing.
 * Memberships are events of source `script`, by `bootstrap` (DESIGN, Configuration; DECISIONS, Bootstrap).
 */
export class Declare {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
  ) {}

  /** A user, and the personal organization of the same name and id that the user administers. */
  async user({ name, email, apiKeys }: BootstrapUser): Promise<void> {
    const id = await this.person({ name, email }, { actor: ACTOR, correlation: ACTOR });
    if (id === null) throw new CannotStart(`the name of user '${name}' belongs to an organization`);
    for (const declared of apiKeys) {
      const key = this.hashed(declared);
      await this.streams.run(user, streams.user(id), as(NO_ORGANIZATION), ({ state }) =>
        decideAddKey(state ?? { keys: [] }, key.value, key),
      );
    }
  }

  /**
   * The same without keys, on somebody's behalf.
   *
   * @param by.changedBy name of who acts, where that is not the bootstrap file
   * @returns the user's id; null where the name is that of an organization
   */
  async person(
    { name, email }: Pick<BootstrapUser, 'name' | 'email'>,
    { changedBy, ...by }: Omit<By, 'org'> & { readonly changedBy?: string },
  ): Promise<string | null> {
    const nowhere = { ...by, org: NO_ORGANIZATION };
    const id = await this.register.claim(NO_ORGANIZATION, 'account', name, this.streams.sources.id(), nowhere);
    const { state: taken } = await this.streams.load(organization, streams.organization(id));
    if (taken !== null && !taken.personal) return null;
    await this.streams.run(user, streams.user(id), nowhere, ({ state }) =>
      decideDeclareUser(state, { name, email }, { id }),
    );
    const own = { ...by, org: id };
    await this.streams.run(organization, streams.organization(id), own, ({ state }) =>
      decideDeclareOrganization(state, { name, personal: true }, { id }),
    );
    const member = {
      user: id,
      userName: name,
      role: 'admin',
      ...(changedBy === undefined ? {} : { changedBy }),
    } as const;
    await this.streams.run(membership, streams.membership(id, id), own, ({ state }) =>
      decideSetMember(state, { ...member, source: changedBy === undefined ? 'script' : 'app' }),
    );
    return id;
  }

  /** A shared organization with its members and service accounts; the members are users that exist. */
  async organization({ name, members, serviceAccounts }: BootstrapOrganization): Promise<void> {
    const id = await this.account(name);
    const { state: taken } = await this.streams.load(user, streams.user(id));
    if (taken !== null) throw new CannotStart(`the name of organization '${name}' belongs to a user`);
    await this.streams.run(organization, streams.organization(id), as(id), ({ state }) =>
      decideDeclareOrganization(state, { name, personal: false }, { id }),
    );
    for (const { user: userName, role } of members) {
      const userId = await this.register.find(NO_ORGANIZATION, 'account', userName);
      const known = userId === null ? null : (await this.streams.load(user, streams.user(userId))).state;
      if (known === null)
        throw new CannotStart(`organization '${name}' names the member '${userName}', who is no user`);
      await this.member(id, known.id, userName, role);
    }
    await each(serviceAccounts, (account) => this.serviceAccount(id, account));
  }

  private async serviceAccount(
    org: string,
    { name, privilege, description, apiKeys }: BootstrapOrganization['serviceAccounts'][number],
  ): Promise<void> {
    const id = await this.register.claim(org, 'service-account', name, this.streams.sources.id(), as(org));
    const stream = streams.serviceAccount(id);
    await this.streams.run(serviceAccount, stream, as(org), ({ state }) =>
      decideDeclareServiceAccount(state, { name, privilege, description }, { id }),
    );
    for (const declared of apiKeys) {
      const key = this.hashed(declared);
      await this.streams.run(serviceAccount, stream, as(org), ({ state }) =>
        decideAddKey(state ?? { keys: [] }, key.value, key),
      );
    }
  }

  private account(name: string): Promise<string> {
    return this.register.claim(NO_ORGANIZATION, 'account', name, this.streams.sources.id(), as(NO_ORGANIZATION));
  }

  private async member(org: string, userId: string, userName: string, role: Role): Promise<void> {
    await this.streams.run(membership, streams.membership(org, userId), as(org), ({ state }) =>
      decideSetMember(state, { user: userId, userName, role, source: 'script' }),
    );
  }

  private hashed({ key, description, expiresAt }: BootstrapKey) {
    return { id: this.streams.sources.id(), value: { hash: sha256(key), description, expiresAt } };
  }
}

/** Does what does not depend on one another, some at once: they wait for the same writes. */
export async function each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < all.length; i += AT_ONCE) await Promise.all(all.slice(i, i + AT_ONCE).map(act));
}

function as(org: string): By {
  return { org, actor: ACTOR, correlation: ACTOR };
}

/** Whether nobody has a key yet: nothing was ever stored, or a first start ended before it gave one. */
export async function isFirstStart({ engines }: Streams): Promise<boolean> {
  const { commits } = await engines.events.scan(null, 50);
  return commits.every(({ actor, events }) => actor === ACTOR && events.every(({ type }) => type !== 'ApiKeyAdded'));
}
