import { type Role, ROLES } from '@assurance/contracts/access/events';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import { PATTERNS } from '@assurance/contracts/http/patterns';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { type CommitAuthor, Streams } from '@assurance/event-sourcing/command/streams';
import { LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import { canonicalJson, err, ok, type Result, sha256 } from '@assurance/kernel';
import { pagesBy } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';
import { type ExternalIdentity, externalIdentity } from '../domain/external-identity';
import { isRetained } from '../domain/keys';
import { membership } from '../domain/membership';
import { organization } from '../domain/organization';
import { decideAttachIdentity, decideDetachIdentity, decideLinkIdentity, namesFor } from '../domain/sign-in';
import { type User, user } from '../domain/user';
import { FollowUpCommits } from './joining';
import { Memberships } from './memberships';
import { Register } from './register';

const PAGE = 500;
/** The source and author of memberships that groups change. */
const MAPPED = { source: 'scim', changedBy: 'identity provider', mapped: true } as const;

/** A person whom an OpenID Connect provider authenticated. */
export interface AuthenticatedPerson extends Pick<ExternalIdentity, 'issuer' | 'subject' | 'email'> {
  /** The preferred name of a new user. */
  readonly name: string;
  /** Names of the organizations in which the person's groups give a role. */
  readonly roles: Readonly<Record<Role, readonly string[]>>;
  /** The provider did not send the groups, so `roles` are those of everybody. */
  readonly groupsUnknown: boolean;
}

/** Sign-ins at an OpenID Connect provider. The first sign-in creates a user. Groups decide roles, unless an administrator decided them. */
@Injectable()
export class SignIns {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly followUpCommits: FollowUpCommits,
    private readonly memberships: Memberships,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async signIn(
    person: AuthenticatedPerson,
    correlation: string,
  ): Promise<Result<Person, { readonly kind: 'forbidden' }>> {
    const key = keyOf(person);
    const loadedIdentity = await this.streams.load(externalIdentity, streams.externalIdentity(key));
    const id = loadedIdentity.state?.user ?? userIdOf(key, loadedIdentity.state?.detached ?? 0);
    const by: CommitAuthor = { org: NO_ORGANIZATION, actor: id, correlation };
    const linkedIdentity = await this.link(streams.externalIdentity(key), loadedIdentity.state, id, person, by);
    if (linkedIdentity.founds) await this.followUpCommits.link(linkedIdentity, by);
    const { state } = await this.streams.load(user, streams.user(linkedIdentity.user));
    if (state === null || state.removed === true) return err({ kind: 'forbidden' });
    const requestedRoles = await this.requestedRoles(person.roles);
    if (person.groupsUnknown) await this.grantRoles(state, requestedRoles, by, { onlyNewcomers: true });
    else await this.mapRoles(state, requestedRoles, by);
    return ok({ id: state.id, name: state.name });
  }

  /** Lets a user also sign in with the identity of a person who was just authenticated. */
  async attach(
    { issuer, subject, email }: AuthenticatedPerson,
    userId: string,
    correlation: string,
  ): Promise<Result<Person, FeatureRefusal>> {
    const owner = (await this.streams.load(user, streams.user(userId))).state;
    if (owner === null || owner.removed === true) return err({ kind: 'forbidden' });
    const by: CommitAuthor = { org: NO_ORGANIZATION, actor: userId, correlation };
    const stream = streams.externalIdentity(keyOf({ issuer, subject }));
    const claims = { issuer, subject, email };
    const outcome = await this.streams.run(externalIdentity, stream, by, ({ state }) =>
      decideAttachIdentity(state, claims, { user: userId, userName: owner.name }),
    );
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok({ id: userId, name: owner.name });
  }

  /**
   * Detaches an identity from a user. If it was the last one, this also revokes the roles that groups gave.
   *
   * @param id of the identity, as in lists of identities
   */
  async detach(id: string, userId: string, correlation: string): Promise<Result<null, FeatureRefusal>> {
    const by: CommitAuthor = { org: NO_ORGANIZATION, actor: userId, correlation };
    const owner = (await this.streams.load(user, streams.user(userId))).state;
    if (owner === null) return err({ kind: 'forbidden' });
    let last = true;
    const outcome = await this.streams.run(
      externalIdentity,
      streams.externalIdentity(id),
      by,
      async ({ state }, at) => {
        const all = await this.streams.states(externalIdentity).find({ where: { user: userId }, limit: PAGE });
        const otherIdentities = all.filter(({ doc }) => doc.subject !== state?.subject || doc.issuer !== state.issuer);
        last = otherIdentities.length === 0;
        const otherWays = otherIdentities.some(({ doc }) => doc.issuer === state?.issuer) || hasKey(owner, at);
        return decideDetachIdentity(state, { user: userId }, { otherWays });
      },
    );
    if (outcome.kind === 'refused') return err(outcome.refusal);
    if (last) await this.mapRoles(owner, new Map(), by);
    return ok(null);
  }

  /** Appends the commit that links an identity to a user. */
  private async link(
    stream: string,
    identity: ExternalIdentity | null,
    id: string,
    person: AuthenticatedPerson,
    by: CommitAuthor,
  ): Promise<LinkedIdentity> {
    if (identity !== null && isLinked(identity)) return identity;
    const { issuer, subject, email } = person;
    const userName = await this.claim(stream, id, person.name, by);
    const outcome = await this.streams.run(externalIdentity, stream, by, ({ state }) =>
      decideLinkIdentity(state, { issuer, subject, email }, { user: id, userName }),
    );
    if (outcome.kind === 'refused' || outcome.state === null || !isLinked(outcome.state))
      throw new Error('an identity can always be linked');
    return outcome.state;
  }

  private async claim(stream: string, id: string, preferredName: string, by: CommitAuthor): Promise<string> {
    for (const name of namesFor(preferredName, id)) {
      if (!PATTERNS.account.matches(name)) continue;
      const as = { id, invitation: stream };
      if ((await this.register.claimAnyCase(NO_ORGANIZATION, 'account', name, as, by)) === id) return name;
    }
    throw new Error(`no name is left for user ${id}`);
  }

  /** The highest role that groups give, by the id of the organization. */
  private async requestedRoles(roles: AuthenticatedPerson['roles']): Promise<ReadonlyMap<string, Role>> {
    const requestedRoles = new Map<string, Role>();
    for (const role of ROLES) {
      for (const name of roles[role]) {
        const id = await this.register.find(NO_ORGANIZATION, 'account', name);
        const place = id === null ? null : await this.streams.states(organization).get(streams.organization(id));
        if (place === null || place.personal) {
          this.logger.warn({ organization: name }, 'groups are mapped to an organization that does not exist');
        } else if (!requestedRoles.has(place.id)) requestedRoles.set(place.id, role);
      }
    }
    return requestedRoles;
  }

  /** Grants the roles that groups give now, and revokes roles that groups gave before. */
  private async mapRoles(person: Person, requestedRoles: ReadonlyMap<string, Role>, by: CommitAuthor): Promise<void> {
    const mappedOrganizations = await this.givenByGroups(person.id);
    const rolesToRemove = mappedOrganizations
      .filter((org) => !requestedRoles.has(org))
      .map((org) => [org, null] as const);
    await this.grantRoles(person, [...requestedRoles, ...rolesToRemove], by);
  }

  /** @param roles by the id of the organization; null removes the role */
  private async grantRoles(
    { id, name }: Person,
    roles: Iterable<readonly [string, Role | null]>,
    by: CommitAuthor,
    more: { readonly onlyNewcomers?: true } = {},
  ): Promise<void> {
    for (const [org, role] of roles) {
      const change = { ...MAPPED, ...more, user: id, userName: name, role };
      const changed = await this.memberships.change(org, change, { ...by, org });
      if (!changed.ok) {
        this.logger.warn(
          { user: id, organization: org, role, why: changed.refusal.kind },
          'a mapped role was not granted',
        );
      }
    }
  }

  private async givenByGroups(id: string): Promise<string[]> {
    const mappedOrganizations: string[] = [];
    for await (const page of pagesBy(this.streams.states(membership), { user: id }, 'org', PAGE)) {
      for (const { doc } of page) if (doc.mapped === true && doc.role !== null) mappedOrganizations.push(doc.org);
    }
    return mappedOrganizations;
  }
}

type Person = Pick<User, 'id' | 'name'>;

/** An identity that a user signs in with. */
type LinkedIdentity = ExternalIdentity & { readonly user: string };
const isLinked = (identity: ExternalIdentity): identity is LinkedIdentity => identity.user !== null;

/** The key of an identity's stream, a SHA-256. */
function keyOf({ issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>): string {
  return sha256(canonicalJson([issuer, subject]));
}

/** Whether a user has a valid API key. @param at integer milliseconds */
function hasKey({ keys }: User, at: number): boolean {
  return keys.some((key) => isRetained(key, at) && (key.expiresAt === 0 || key.expiresAt * 1_000 > at));
}

/**
 * The id of the user that an identity creates. It is a UUID of version 8, and always the same for the same arguments.
 *
 * @param detached how often a user detached it. After that, a sign-in with it belongs to a new user
 */
function userIdOf(key: string, detached: number): string {
  const hash = detached === 0 ? key : sha256(canonicalJson([key, detached]));
  const part = (from: number, to: number) => hash.slice(from, to);
  return [part(0, 8), part(8, 12), `8${part(13, 16)}`, `8${part(17, 20)}`, part(20, 32)].join('-');
}
