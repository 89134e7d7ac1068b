import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import { type CommitAuthor, Streams } from '@assurance/event-sourcing/command/streams';
import {
  type BootstrapKey,
  type BootstrapMember,
  type BootstrapServiceAccount,
  type BootstrapUser,
  CannotStart,
} from '@assurance/http';
import { sha256 } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';
import {
  decideAddKey,
  decideDeclareOrganization,
  decideDeclareServiceAccount,
  decideDeclareUser,
  decideSetMember,
} from '../domain/declare';
import { apiKeys } from '../domain/keys';
import { membership } from '../domain/membership';
import { organization } from '../domain/organization';
import { serviceAccount } from '../domain/service-account';
import { user } from '../domain/user';
import { Memberships } from './memberships';
import { Register } from './register';

const ACTOR = 'bootstrap';
/** How many parts are applied at the same time, because they wait for the same writes. */
export const AT_ONCE = 16;

/**
 * Applies a declaration of organizations, users and keys. It adds and changes, but never removes. Applying it again changes nothing. Membership
 * events have the source `script` and the actor `bootstrap`.
 */
@Injectable()
export class Declare {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly memberships: Memberships,
  ) {}

  /** Declares a user with keys, and the user's personal organization of the same name and id. The user administers it. */
  async user({ name, email, apiKeys: declared }: Omit<BootstrapUser, 'enforce'>): Promise<void> {
    const id = await this.account('user', name);
    const { state: existing } = await this.streams.load(organization, streams.organization(id));
    if (existing !== null && !existing.personal)
      throw new CannotStart(`the name of user '${name}' belongs to an organization`);
    await this.streams.run(user, streams.user(id), bootstrapAuthor(NO_ORGANIZATION), ({ state }) =>
      decideDeclareUser(state, { name, email }, { id }),
    );
    await this.streams.run(organization, streams.organization(id), bootstrapAuthor(id), ({ state }) =>
      decideDeclareOrganization(state, { name, personal: true }, { id }),
    );
    const member = { user: id, userName: name, role: 'admin', source: 'script' } as const;
    await this.streams.run(membership, streams.membership(id, id), bootstrapAuthor(id), ({ state }) =>
      decideSetMember(state, member),
    );
    for (const bootstrapKey of declared) {
      const key = this.hashKey(bootstrapKey);
      await this.streams.run(user, streams.user(id), bootstrapAuthor(NO_ORGANIZATION), ({ state }) =>
        decideAddKey(state ?? { keys: [] }, key.value, key),
      );
    }
  }

  /** Declares a shared organization. @returns its id; null if it was erased, because an erased organization is not created again */
  async organization(name: string): Promise<string | null> {
    const id = await this.account('organization', name);
    const { state: existing } = await this.streams.load(user, streams.user(id));
    if (existing !== null) throw new CannotStart(`the name of organization '${name}' belongs to a user`);
    const outcome = await this.streams.run(organization, streams.organization(id), bootstrapAuthor(id), (loaded) =>
      decideDeclareOrganization(loaded.state, { name, personal: false }, { id }),
    );
    return outcome.kind !== 'refused' && outcome.state?.erased !== undefined ? null : id;
  }

  /** Declares the role of an existing user in an organization. */
  async member(
    org: { readonly id: string; readonly name: string },
    { user: userName, role }: BootstrapMember,
  ): Promise<void> {
    const id = await this.register.find(NO_ORGANIZATION, 'account', userName);
    const existing = id === null ? null : (await this.streams.load(user, streams.user(id))).state;
    if (existing === null || existing.removed === true) {
      throw new CannotStart(`organization '${org.name}' names the member '${userName}', who is no user`);
    }
    const change = { user: existing.id, userName, role, source: 'script' } as const;
    const changed = await this.memberships.change(org.id, change, bootstrapAuthor(org.id));
    if (changed.ok) return;
    throw new CannotStart(
      changed.refusal.kind === 'last-admin'
        ? `organization '${org.name}' would have no administrator if '${userName}' were ${role}`
        : `organization '${org.name}' has ${changed.refusal.limit} administrators, which is the limit`,
    );
  }

  async serviceAccount(
    org: string,
    { name, privilege, description, apiKeys: declared }: BootstrapServiceAccount,
  ): Promise<void> {
    const newSpace = { id: this.streams.sources.id() };
    const id = await this.register.claimAnyCase(org, 'service-account', name, newSpace, bootstrapAuthor(org));
    if (id === null) throw new CannotStart(`the name of service account '${name}' differs from another by case alone`);
    const stream = streams.serviceAccount(id);
    await this.streams.run(serviceAccount, stream, bootstrapAuthor(org), ({ state }) =>
      decideDeclareServiceAccount(state, { name, privilege, description }, { id }),
    );
    for (const bootstrapKey of declared) {
      const key = this.hashKey(bootstrapKey);
      await this.streams.run(serviceAccount, stream, bootstrapAuthor(org), ({ state }) =>
        decideAddKey(state ?? { keys: [] }, key.value, key),
      );
    }
  }

  private async account(setting: string, name: string): Promise<string> {
    const newAccount = { id: this.streams.sources.id() };
    const id = await this.register.claimAnyCase(
      NO_ORGANIZATION,
      'account',
      name,
      newAccount,
      bootstrapAuthor(NO_ORGANIZATION),
    );
    if (id !== null) return id;
    throw new CannotStart(`the name of ${setting} '${name}' is taken, or differs from another by case alone`);
  }

  private hashKey({ key, description, expiresAt }: BootstrapKey) {
    return { id: this.streams.sources.id(), value: { hash: sha256(key), description, expiresAt } };
  }
}

/** The commit fields of the bootstrap file. */
export function bootstrapAuthor(org: string): CommitAuthor {
  return { org, actor: ACTOR, correlation: ACTOR };
}

/** Whether no key exists yet: the store is empty, or a first start ended before it created a key. */
export async function isFirstStart({ engines }: Streams): Promise<boolean> {
  const { commits } = await engines.events.scan(null, 50);
  const bare = commits.every(
    ({ actor, events }) => actor === ACTOR && events.every(({ type }) => type !== 'ApiKeyAdded'),
  );
  return bare && (await engines.documents.collection(apiKeys).scan(null, 1)).documents.length === 0;
}
