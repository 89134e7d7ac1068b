import { type RepoRef, streams } from '@assurance/contracts-events';
import { decideRecordRepo, type RecordRepo, repoNames } from '@assurance/ingestion-domain';
import { repo } from '@assurance/model-repo';
import type { Register } from './register';
import type { By, Streams } from './streams';

/** Repositories, recorded as reports name them. */
export class Repositories {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
  ) {}

  /**
   * The repository that a report names, recorded now when it is new. Its identity is (provider, external id); without an external id it is
   * (provider, normalised URL), and the first report that brings the id adopts it (DECISIONS, Repository).
   */
  async record(given: RecordRepo, by: By): Promise<RepoRef> {
    const id = await this.identify(given, by);
    const ended = await this.streams.run(repo, streams.repo(id), by, ({ state }) =>
      decideRecordRepo(state, given, { id }),
    );
    const { name, url, provider } =
      ended.kind === 'committed' || ended.kind === 'nothing' ? (ended.state ?? given) : given;
    return { id, name, url, provider };
  }

  private async identify(given: RecordRepo, by: By): Promise<string> {
    const { byId, byUrl } = repoNames(given);
    const fresh = this.streams.sources.id();
    if (byId === null) return this.register.claim(by.org, 'repo-url', byUrl ?? given.name, fresh, by);
    const known = await this.register.find(by.org, 'repo-id', byId);
    if (known !== null) return known;
    const id = await this.register.claim(by.org, 'repo-id', byId, await this.adopted(byUrl, given, by, fresh), by);
    if (byUrl !== null) await this.register.claim(by.org, 'repo-url', byUrl, id, by);
    return id;
  }

  /** The repository of this URL, if it has no external id of its own yet; else a new one. */
  private async adopted(byUrl: string | null, given: RecordRepo, by: By, fresh: string): Promise<string> {
    const id = byUrl === null ? null : await this.register.find(by.org, 'repo-url', byUrl);
    if (id === null) return fresh;
    const head = await this.streams.heads(repo).get(streams.repo(id));
    return head?.externalId == null || head.externalId === given.externalId ? id : fresh;
  }
}
