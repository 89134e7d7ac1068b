import { type MembershipSource, NO_ORGANIZATION, type Role, streams } from '@assurance/contracts-events';
import { IDS, type Ids } from '@assurance/http';
import { decideAddKey, decideRemoveMember, decideSetMember } from '@assurance/ingestion-domain';
import { no, nothing, ok, type Result, sha256 } from '@assurance/kernel';
import { membership, organization, user } from '@assurance/model-access';
import { pagesBy } from '@assurance/storage-ports';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { by, type Caller } from '../caller';
import { Declare } from '../declare';
import { freshSecret } from '../fresh-secret';
import { Register } from '../register';
import type { CommandRefusal } from '../refusals';
import { type By, Streams } from '../streams';

/** What becomes of somebody's membership. */
export type MemberChange =
  | {
      readonly kind: 'set';
      readonly role: Role;
      readonly source: MembershipSource | null;
      readonly email: string | null;
    }
  | { readonly kind: 'remove' };

/** What was done: `key` is a first key of somebody who was made a user. */
export interface ChangedMember {
  readonly added: boolean;
  readonly key: string | null;
}

/** Adds a member, changes a role, or removes a member. */
export class ChangeMember extends Command<Result<ChangedMember, CommandRefusal>> {
  constructor(
    readonly caller: Caller,
    /** Name of who does it. */
    readonly changedBy: string,
    /** Name of who it happens to. */
    readonly user: string,
    readonly change: MemberChange,
  ) {
    super();
  }
}

/** For how long the first key of somebody new works. */
const FIRST_KEY_S = 7 * 24 * 3_600;
const PAGE = 500;

@CommandHandler(ChangeMember)
export class ChangeMemberHandler implements ICommandHandler<ChangeMember> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly declare: Declare,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  async execute({
    caller,
    changedBy,
    user: name,
    change,
  }: ChangeMember): Promise<Result<ChangedMember, CommandRefusal>> {
    const { org } = caller;
    const place = await this.streams.heads(organization).get(streams.organization(org.id));
    if (place?.personal === true) return no({ kind: 'organization-personal' });
    const known = await this.userNamed(name);
    if (known !== null) return this.changed(caller, changedBy, known, change, null);
    if (change.kind === 'remove') return no({ kind: 'member-unknown', name, org: org.name });
    if (change.email === null) return no({ kind: 'user-unknown', name });
    const { actor, correlation } = caller;
    const id = await this.declare.person({ name, email: change.email }, { actor, correlation, changedBy });
    if (id === null) return no({ kind: 'invalid', errors: { user: 'This is the name of an organization' } });
    const key = await this.firstKey(id, { org: NO_ORGANIZATION, actor, correlation });
    return this.changed(caller, changedBy, { id, name }, change, key);
  }

  /** A key for somebody who has none; null where somebody else made one at the same moment. */
  private async firstKey(id: string, by: By): Promise<string | null> {
    const key = freshSecret(this.ids);
    const expiresAt = Math.floor(this.streams.sources.now() / 1_000) + FIRST_KEY_S;
    const made = { hash: sha256(key), description: 'invitation', expiresAt };
    const ended = await this.streams.run(user, streams.user(id), by, ({ state }) =>
      state === null || state.keys.length > 0 ? nothing : decideAddKey(state, made, { id: this.ids.next() }),
    );
    return ended.kind === 'committed' ? key : null;
  }

  private async changed(
    caller: Caller,
    changedBy: string,
    { id, name }: { readonly id: string; readonly name: string },
    change: MemberChange,
    key: string | null,
  ): Promise<Result<ChangedMember, CommandRefusal>> {
    const { org } = caller;
    const stream = streams.membership(org.id, id);
    let before: Role | null = null;
    const ended = await this.streams.run(membership, stream, by(caller), ({ state }) => {
      before = state?.role ?? null;
      if (change.kind === 'remove') return decideRemoveMember(state, { source: 'app', changedBy });
      const source = change.source ?? (key === null ? 'app' : 'invitation');
      return decideSetMember(state, { user: id, userName: name, role: change.role, source, changedBy });
    });
    if (ended.kind === 'nothing' && change.kind === 'remove') {
      return no({ kind: 'member-unknown', name, org: org.name });
    }
    if (ended.kind === 'committed' && before === 'admin' && !(await this.hasAdmin(org.id))) {
      // Write first, look second: of two who take each other's role away at the same moment, each puts it back.
      const role = { user: id, userName: name, role: 'admin', source: 'app', changedBy } as const;
      await this.streams.run(membership, stream, by(caller), ({ state }) => decideSetMember(state, role));
      return no({ kind: 'last-admin' });
    }
    return ok({ added: before === null && change.kind === 'set', key });
  }

  private async userNamed(name: string) {
    const id = await this.register.find(NO_ORGANIZATION, 'account', name);
    return id === null ? null : ((await this.streams.load(user, streams.user(id))).state ?? null);
  }

  /** Whether the organization has an administrator. */
  private async hasAdmin(org: string): Promise<boolean> {
    for await (const page of pagesBy(this.streams.heads(membership), { org }, 'userName', PAGE)) {
      if (page.some(({ doc }) => doc.role === 'admin')) return true;
    }
    return false;
  }
}
