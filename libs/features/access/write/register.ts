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
   * The id that holds a name. Claims the name if it is free. The first append decides a race.
   *
   * @param id the id to claim it for
   */
  async claim(org: string, kind: NameKind, name: string, id: string, by: CommitAuthor): Promise<string> {
    return (await this.find(org, kind, name)) ?? this.take(org, kind, name, { id }, by, () => Promise.resolve(null));
  }

  /**
   * The id that holds the name of a user, an organization or a service account. Claims the name if nobody holds it and no other such name
   * differs from it only by case.
   *
   * @param as the id to claim it for; with the stream of an invitation where a user is to come of it
   * @returns null when a name that differs by case alone is held, or the id is set aside for another invitation
   */
  async claimAnyCase(
    org: string,
    kind: 'account' | 'service-account',
    name: string,
    as: Pick<Name, 'id' | 'invitation'>,
    by: CommitAuthor,
  ): Promise<string | null> {
    const usable = (held: Name) => held.id === as.id || (as.invitation ?? held.invitation) === undefined;
    const existing = await this.claimed(org, kind, name);
    if (existing !== null) return usable(existing) || (await this.isUser(existing.id)) ? existing.id : null;
    const lower = name.toLowerCase();
    const unlike: NameKind = `${kind}-any-case`;
    await this.take(org, unlike, lower, { ...as, spelled: name }, by, () => Promise.resolve(null));
    const held = await this.claimed(org, unlike, lower);
    // The same spelling: another request claims it now, or stopped after this step.
    if (held === null || held.spelled !== name || !usable(held)) return null;
    const claim = { ...as, id: held.id };
    return this.take(org, kind, name, claim, by, () => Promise.resolve(null));
  }

  /** Records a name from before names had to differ by more than case. */
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

  private async claimed(org: string, kind: NameKind, name: string): Promise<Name | null> {
    return (await this.streams.load(register, streams.name(org, kind, name))).state;
  }

  private async isUser(id: string): Promise<boolean> {
    return (await this.streams.load(user, streams.user(id))).state !== null;
  }

  /**
   * Claims a name that nobody holds, or that is a mere alias by now. The decision lies in the name's own stream, so
   * that of two who want it one has it.
   *
   * @param as the id to claim it for; with the seq of its stream where that stream's next commit is to take the name
   * @param look how the aggregate that holds the name stands; null when it has no commit
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
    const claimed: NameEvent = {
      type: 'NameClaimed',
      version: 1,
      data: { id, ...(at === undefined ? {} : { at }), ...more },
    };
    const ended = await this.streams.run(
      register,
      streams.name(org, kind, name),
      by,
      async ({ state }): Promise<Decision<NameEvent, never>> => {
        if (state === null) return accepted(claimed);
        if (state.id === id) return at === undefined || state.at === at ? noChange : accepted(claimed);
        return isAlias(name, state, await look(state.id)) ? accepted(claimed) : noChange;
      },
    );
    return ended.kind === 'nothing' && ended.state !== null ? ended.state.id : id;
  }
}

/** What reads and decides streams that it finds by name. */
@Injectable()
export abstract class StreamsByName {
  constructor(
    protected readonly streams: Streams,
    protected readonly register: Register,
  ) {}
}
