import { OrganizationLimits } from '@assurance/access/write/organization-limits';
import { Register } from '@assurance/access/write/register';
import type { RepoRef } from '@assurance/contracts/events/commit';
import type { Holder } from '@assurance/contracts/events/holder';
import { streams } from '@assurance/contracts/events/streams';
import type { Repo } from '@assurance/contracts/flows/documents';
import type { RepoEvent } from '@assurance/contracts/flows/events';
import { isReservedRepo } from '@assurance/contracts/http/patterns';
import { Refused } from '@assurance/contracts/http/refusals';
import { type CommandOutcome, type CommitAuthor, Streams } from '@assurance/event-sourcing/command/streams';
import type { Decision } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';
import {
  decideAdoptRepo,
  decideRecordRepo,
  type JoinedElsewhere,
  type RecordRepo,
  type RepoNames,
  repoNames,
} from '../domain/record-repo';
import { repo } from '../domain/repo';

/** Makes the holder of an address lose it to the repository that was last reported with this address and an id. */
const GIVES_IT_UP: Holder = { name: '', seq: Number.MAX_SAFE_INTEGER };

/** Records repositories from reports. */
@Injectable()
export class Repositories {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly limits: OrganizationLimits,
  ) {}

  /**
   * Returns the repository of a report, and records a new one. A repository is identified by provider and external id. Without an external id the
   * address identifies it: the repository that was last reported with this address. The first report with an id adopts that repository.
   */
  async record(input: RecordRepo, by: CommitAuthor): Promise<RepoRef> {
    const { id, outcome: ended } = await this.runOnCurrent(await this.identify(input, by), input, by, (state, own) =>
      decideRecordRepo(state, input, { id: own }),
    );
    const { name, url, provider } =
      ended.kind === 'committed' || ended.kind === 'nothing' ? (ended.state ?? input) : input;
    return { id, name, url, provider };
  }

  private async identify(input: RecordRepo, by: CommitAuthor): Promise<string> {
    const names = repoNames(input);
    const newId = this.streams.sources.id();
    if (names.byId === null) return this.atAddress(names, newId, by);
    const holderId =
      (await this.register.find(by.org, 'repo-id', names.byId)) ??
      (await this.register.claim(by.org, 'repo-id', names.byId, await this.adopt(names, input, by, newId), by));
    // From now on, reports without an id are about this repository.
    for (const url of names.byUrl) {
      if ((await this.register.claim(by.org, 'repo-url', url, holderId, by)) === holderId) continue;
      await this.register.take(by.org, 'repo-url', url, { id: holderId }, by, () => Promise.resolve(GIVES_IT_UP));
    }
    return holderId;
  }

  /**
   * Finds the repository of this address and gives it the external id. If it already has another id, a new repository gets the id. The address is
   * claimed before the id, because reports without an id have only the address. So reports with and without an id find the same record, in any order.
   */
  private async adopt(names: RepoNames, input: RecordRepo, by: CommitAuthor, fresh: string): Promise<string> {
    if (names.byUrl.length === 0) return fresh;
    const { id, outcome: ended } = await this.runOnCurrent(
      await this.atAddress(names, fresh, by),
      input,
      by,
      (state, own) => decideAdoptRepo(state, input, { id: own }),
    );
    // Use a new id instead of `newId`, because `newId` may be the id that holds the address.
    return ended.kind === 'refused' ? this.streams.sources.id() : id;
  }

  /** Returns the repository of an address. It claims a free address. */
  private async atAddress({ byUrl, byUrlBefore }: RepoNames, fresh: string, by: CommitAuthor): Promise<string> {
    let id: string | null = null;
    for (const name of byUrl) id ??= await this.register.find(by.org, 'repo-url', name);
    if (id === null && byUrlBefore !== null) id = await this.register.find(by.org, 'repo-url', byUrlBefore);
    for (const name of byUrl) id = await this.register.claim(by.org, 'repo-url', name, id ?? fresh, by);
    return id ?? fresh;
  }

  /** Decides on a repository, or on the repository that it was joined to. */
  private async runOnCurrent<Event extends RepoEvent, Refusal extends string>(
    first: string,
    input: RecordRepo,
    by: CommitAuthor,
    decide: (state: Repo | null, id: string) => Decision<Event, Refusal | JoinedElsewhere>,
  ): Promise<{ readonly id: string; readonly outcome: CommandOutcome<Repo, RepoEvent, Refusal | JoinedElsewhere> }> {
    for (let id = first; ;) {
      const ownId = id;
      const outcome = await this.streams.run<Repo, RepoEvent, Refusal | JoinedElsewhere>(
        repo,
        streams.repo(ownId),
        by,
        async ({ state }) => {
          if (state === null) await this.checkNew(input, by);
          return decide(state, ownId);
        },
      );
      if (outcome.kind !== 'refused' || typeof outcome.refusal === 'string') return { id, outcome };
      id = outcome.refusal.into;
    }
  }

  /** @throws Refused `invalid` if the name is a word of the API; `too-many` if the limit of repositories is reached */
  private async checkNew({ name }: RecordRepo, { org }: CommitAuthor): Promise<void> {
    if (isReservedRepo(name)) {
      const problem = `'${name}' is a word of the API. Send the name with its owner, as in 'owner/${name}'`;
      throw new Refused({ kind: 'invalid', errors: { 'repo_info.name': problem } });
    }
    await this.limits.checkOneMore(org, 'repositories');
  }
}
