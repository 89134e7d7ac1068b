import type { NameEvent } from '@assurance/contracts/access/events';
import type { Holder } from '@assurance/contracts/events/holder';
import { type NameKind, streams } from '@assurance/contracts/events/streams';
import { type CommitAuthor, Streams } from '@assurance/event-sourcing/command/streams';
import { accepted, type Decision, noChange } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';
import { type Name, name as register } from '../domain/name';
import { isAlias } from '../domain/naming/alias';
import { user } from '../domain/user';
import { holderOf } from '../lookups/named';

/** The register of unique names. */
@Injectable()
export class Register {
  constructor(private readonly streams: Streams) {}

  /** The id that holds a name; null for an unclaimed name. Its aggregate may not exist yet. */
  find(org: string, kind: NameKind, name: string): Promise<string | null> {
    return holderOf(this.streams.engines.documents, org, kind, name);
  }

  /**
   * The id that holds a name. Claims the name if it is free. If several requests claim it at once, the first append wins.
   *
   * @param id the id to claim it for
   */
  async claim(org: string, kind: NameKind, name: string, id: string, by: CommitAuthor): Promise<string> {
    return (await this.find(org, kind, name)) ?? this.take(org, kind, name, { id }, by, () => Promise.resolve(null));
  }

  /**
   * The id that holds the name of a user, an organization or a service account. Claims the name if nobody holds it and no other such name differs
   * from it only by case.
   *
   * @param as the id to claim it for; also the stream of an invitation or external identity if it will create a user
   * @returns null if a name that differs only by case is held, or if the id is reserved for another invitation
   */
  async claimAnyCase(
    org: string,
    kind: 'account' | 'service-account',
    name: string,
    as: Pick<Name, 'id' | 'invitation'>,
    by: CommitAuthor,
  ): Promise<string | null> {
    const isUsable = (holder: Name) => holder.id === as.id || (as.invitation ?? holder.invitation) === undefined;
    const existing = await this.findClaim(org, kind, name);
    if (existing !== null) return isUsable(existing) || (await this.isUser(existing.id)) ? existing.id : null;
    const lower = name.toLowerCase();
    const anyCaseKind: NameKind = `${kind}-any-case`;
    await this.take(org, anyCaseKind, lower, { ...as, spelled: name }, by, () => Promise.resolve(null));
    const spelling = await this.findClaim(org, anyCaseKind, lower);
    // With the same spelling, another request claims it now or stopped after this step. Then this one continues with the id of that request.
    if (spelling === null || spelling.spelled !== name || !isUsable(spelling)) return null;
    const claim = { ...as, id: spelling.id };
    return this.take(org, kind, name, claim, by, () => Promise.resolve(null));
  }

  /** Registers a name that is older than the rule that names differ by more than case. */
  async noteAnyCase(
    org: string,
    kind: 'account' | 'service-account',
    name: string,
    id: string,
    by: CommitAuthor,
  ): Promise<void> {
    const as = { id, spelled: name };
    await this.take(org, `${kind}-any-case`, name.toLowerCase(), as, by, () => Promise.resolve(null));
  }

  private async findClaim(org: string, kind: NameKind, name: string): Promise<Name | null> {
    return (await this.streams.load(register, streams.name(org, kind, name))).state;
  }

  private async isUser(id: string): Promise<boolean> {
    return (await this.streams.load(user, streams.user(id))).state !== null;
  }

  /**
   * Claims a name that nobody holds, or that is only an alias now. The name's own stream decides, so only one of two concurrent claims succeeds.
   *
   * @param as the id to claim it for. For a rename, also the seq of its stream before the commit that takes the name
   * @param look loads the present name and seq of the aggregate that holds the name; null if it has no commit
   * @returns the id that holds the name from now on
   */
  async take(
    org: string,
    kind: NameKind,
    name: string,
    { id, at, ...more }: Name,
    by: CommitAuthor,
    look: (holder: string) => Promise<Holder | null>,
  ): Promise<string> {
    const nameEvent: NameEvent = {
      type: 'NameClaimed',
      version: 1,
      data: { id, ...(at === undefined ? {} : { at }), ...more },
    };
    const outcome = await this.streams.run(
      register,
      streams.name(org, kind, name),
      by,
      async ({ state }): Promise<Decision<NameEvent, never>> => {
        if (state === null) return accepted(nameEvent);
        if (state.id === id) return at === undefined || state.at === at ? noChange : accepted(nameEvent);
        return isAlias(name, state, await look(state.id)) ? accepted(nameEvent) : noChange;
      },
    );
    return outcome.kind === 'nothing' && outcome.state !== null ? outcome.state.id : id;
  }
}

/** A base for classes that find streams by name, read them and decide on them. */
@Injectable()
export abstract class StreamsByName {
  constructor(
    protected readonly streams: Streams,
    protected readonly register: Register,
  ) {}
}
