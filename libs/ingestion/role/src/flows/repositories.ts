import { type RepoRef, streams } from '@assurance/contracts-events';
import { decideAdoptRepo, decideRecordRepo, type RecordRepo, repoNames } from '@assurance/ingestion-domain';
import { repo, type Repo } from '@assurance/model';
import { Injectable } from '@nestjs/common';
import { Register } from '../core/register';
import { OrganizationLimits } from '../core/organization-limits';
import { type By, Streams } from '../core/streams';

/** Repositories, recorded as reports name them. */
@Injectable()
export class Repositories {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly limits: OrganizationLimits,
  ) {}

  /**
   * The repository that a report names, recorded now when it is new. Its identity is (provider, external id); without an external id it is
   * (provider, normalised URL), and the first report that brings the id adopts it.
   */
  async record(given: RecordRepo, by: By): Promise<RepoRef> {
    const id = await this.identify(given, by);
    const ended = await this.streams.run(repo, streams.repo(id), by, async ({ state }) => {
      await this.roomFor(state, by);
      return decideRecordRepo(state, given, { id });
    });
    const { name, url, provider } =
      ended.kind === 'committed' || ended.kind === 'nothing' ? (ended.state ?? given) : given;
    return { id, name, url, provider };
  }

  private async identify(given: RecordRepo, by: By): Promise<string> {
    const { byId, byUrl } = repoNames(given);
    const fresh = this.streams.sources.id();
    if (byId === null) return this.register.claim(by.org, 'repo-url', byUrl ?? given.name, fresh, by);
    const known = await this.register.find(by.org, 'repo-id', byId);
    if (known === null)
      return this.register.claim(by.org, 'repo-id', byId, await this.adopted(byUrl, given, by, fresh), by);
    // Reports without an id name it by its newest URL from now on.
    if (byUrl !== null) await this.register.claim(by.org, 'repo-url', byUrl, known, by);
    return known;
  }

  /**
   * The repository of this URL, with the external id as its own; a new one where it has another id. The URL is claimed before the id, since
   * reports without an id know the URL alone: whoever comes first, with an id or without, both find the same record.
   */
  private async adopted(byUrl: string | null, given: RecordRepo, by: By, fresh: string): Promise<string> {
    if (byUrl === null) return fresh;
    const id = await this.register.claim(by.org, 'repo-url', byUrl, fresh, by);
    const ended = await this.streams.run(repo, streams.repo(id), by, async ({ state }) => {
      await this.roomFor(state, by);
      return decideAdoptRepo(state, given, { id });
    });
    // Not `fresh`: it may be the very id that holds the URL.
    return ended.kind === 'refused' ? this.streams.sources.id() : id;
  }

  /** @throws RefusalError `too-many` when it would be a new one, and there are as many as may be */
  private async roomFor(state: Repo | null, { org }: By): Promise<void> {
    if (state === null) await this.limits.checkOneMore(org, 'repositories');
  }
}
