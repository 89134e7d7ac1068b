import { Register } from '@assurance/access/write/register';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { Repo } from '@assurance/contracts/flows/documents';
import { type CommitAuthor, Streams } from '@assurance/event-sourcing/command/streams';
import { type Operation, OperationRefused, type Outcome, type Progress } from '@assurance/event-sourcing/operation';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { decideAbsorbRepos, decideJoinRepo, type SameRepo, sameRepos } from '@assurance/flows/domain/join-repo';
import { repo } from '@assurance/flows/domain/repo';
import { noChange } from '@assurance/kernel';
import { findPages } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';

const ACTOR = 'operator';
const PAGE = 500;
const DRY_RUN = '--dry-run';
/** How many joins the answer lists. The events have all of them. */
const LISTED = 1_000;

type NamedRepo = Pick<Repo, 'id' | 'name' | 'url'>;

/** `join-repositories`: joins repositories that are the same repository under several addresses, and rewrites addresses in the present form. */
@Injectable()
export class JoinRepositories implements Operation {
  readonly name = 'join-repositories';
  readonly usage = `<organization> [${DRY_RUN}]`;
  readonly summary = 'joins repositories that are one under several addresses; the ids of both work afterwards';

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly streams: Streams,
    private readonly register: Register,
  ) {}

  async run(
    [name = '', option, ...more]: readonly string[],
    report: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (name === '' || (option !== undefined && option !== DRY_RUN) || more.length > 0) {
      throw new OperationRefused(`join-repositories takes ${this.usage}.`);
    }
    const org = await this.register.find(NO_ORGANIZATION, 'account', name);
    if (org === null) throw new OperationRefused(`There is no organization '${name}'.`);
    const repos: Repo[] = [];
    const pages = findPages(this.ports.documents.collection(repo.states), { where: { org } }, PAGE);
    for await (const page of pages) repos.push(...page.map(({ doc }) => doc));
    const { same, unclear } = sameRepos(repos);
    const isDry = option === DRY_RUN;
    if (!isDry) {
      const by = { org, actor: ACTOR, correlation: ACTOR };
      const joiningRepos = new Map(same.map((sameRepo) => [sameRepo.oldest.id, sameRepo]));
      const joinedIds = new Set(same.flatMap(({ younger }) => younger.map(({ id }) => id)));
      const staying = repos.filter(({ id }) => !joinedIds.has(id));
      for (const [done, oldest] of staying.entries()) {
        signal.throwIfAborted();
        await this.join(joiningRepos.get(oldest.id) ?? { oldest, younger: [] }, by);
        report({ done: done + 1, of: staying.length, unit: 'repositories' });
      }
    }
    return { ok: true, summary: summaryOf(same, unclear, isDry), details: detailsOf(same, unclear) };
  }

  /**
   * Joins younger repositories to the oldest one. The oldest one absorbs them first, so a younger one always refers to a repository that knows it.
   * Then it absorbs them again, with tags that they got meanwhile. A repetition continues where it stopped.
   */
  private async join({ oldest, younger }: SameRepo, by: CommitAuthor): Promise<void> {
    await this.absorb(oldest.id, younger, by);
    for (const { id } of younger) {
      await this.streams.run(repo, streams.repo(id), by, ({ state }) =>
        state === null ? noChange : decideJoinRepo(state, oldest.id),
      );
    }
    if (younger.length > 0) await this.absorb(oldest.id, younger, by);
  }

  private async absorb(id: string, younger: readonly Repo[], by: CommitAuthor): Promise<void> {
    const loadedRepos = await Promise.all(
      younger.map((candidate) => this.streams.load(repo, streams.repo(candidate.id))),
    );
    const states = loadedRepos.flatMap(({ state }) => state ?? []);
    await this.streams.run(repo, streams.repo(id), by, ({ state }) =>
      state === null || state.joined !== undefined ? noChange : decideAbsorbRepos(state, states),
    );
  }
}

function summaryOf(same: readonly SameRepo[], unclear: readonly Repo[], isDry: boolean): string {
  const count = same.reduce((sum, { younger }) => sum + younger.length, 0);
  const rest =
    unclear.length === 0
      ? ''
      : ` ${unclear.length} stay as they are: they have no id at the provider, and their address has several.`;
  if (count === 0) return `No repository is there twice.${rest}`;
  return `${count} ${count === 1 ? 'repository' : 'repositories'} ${isDry ? 'would be' : count === 1 ? 'was' : 'were'} joined to ${same.length}.${rest}`;
}

function detailsOf(same: readonly SameRepo[], unclear: readonly Repo[]) {
  const joined = same
    .slice(0, LISTED)
    .map(({ oldest, younger }) => ({ kept: namesOf(oldest), joined: younger.map(namesOf) }));
  return { joined, unclear: unclear.slice(0, LISTED).map(namesOf) };
}

function namesOf({ id, name, url }: Repo): NamedRepo {
  return { id, name, url };
}
