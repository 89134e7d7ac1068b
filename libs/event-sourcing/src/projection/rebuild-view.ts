import type { Commit, CommitPage } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';
import { excludeErased } from '../feed/parked-streams';
import { type Operation, OperationRefused, type Outcome, type Progress } from '../operation';
import { CLOCK, type Clock, PORTS, type Ports } from '../tokens';
import { type Follower, followViews } from './follow-views';
import { Generations } from './generations';
import { failureReason } from './live-followers';
import { BackgroundPacer, pacedDocuments } from './pace';
import type { View } from './view';
import { VIEWS } from './views';

/** Commits in a page: few enough that requests are served between pages, and enough that one write of a page is efficient. */
const PAGE = 250;

/** The rebuild ended before the new generation could serve. The message gives the reason. */
class RebuildEnded extends Error {}

/**
 * `rebuild <view>`: folds all commits into a new generation of the view while the old one serves, then swaps. docs/decisions explains why
 * no commit is missed: "A view is rebuilt beside the one that serves".
 */
@Injectable()
export class RebuildView implements Operation {
  readonly name = 'rebuild';
  readonly usage: string;
  readonly summary = 'builds a view again from all commits while the present one serves';
  private readonly runningViews = new Set<View>();

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly generations: Generations,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(VIEWS) private readonly views: readonly View[],
  ) {
    this.usage = views.map(({ name }) => name).join(' | ');
  }

  async run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome> {
    const view = this.views.find(({ name }) => name === args[0]);
    if (view === undefined || args.length !== 1)
      throw new OperationRefused(`rebuild needs the name of a view: ${this.usage}`);
    if (this.runningViews.has(view)) throw new OperationRefused(`the view ${view.name} is already being rebuilt`);
    return this.rebuild(view, report, signal);
  }

  /** Rebuilds a view that this process is not already rebuilding. */
  async rebuild(view: View, report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome> {
    this.runningViews.add(view);
    const { number, without } = await this.generations.begin(view);
    try {
      const commits = await this.build(view, { number, without }, report, signal);
      return { ok: true, summary: `Rebuilt the view ${view.name} from ${commits} commits.`, details: { commits } };
    } catch (error) {
      await this.generations.giveUp(view, number);
      if (error instanceof RebuildEnded) {
        return { ok: false, summary: `The view ${view.name} is unchanged: ${error.message}.` };
      }
      throw error;
    } finally {
      await this.generations.clear(view);
      this.runningViews.delete(view);
    }
  }

  /** @returns the number of commits */
  private async build(
    view: View,
    { number, without }: { readonly number: number; readonly without: number },
    report: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<number> {
    const reporter = (before: number) => (done: number) => report({ done: before + done, of: null, unit: 'commits' });
    const { done: commits, since } = await this.replay(view, number, null, reporter(0), signal);
    if (!(await this.generations.join(view, number))) throw new RebuildEnded(await this.endReason(view, number));
    // Batches that begin from now on are delivered to the generation. Commits of earlier batches are already in the store and are read now.
    await this.replay(view, number, since, reporter(commits), signal);
    if (!(await this.generations.swap(view, number, without)))
      throw new RebuildEnded(await this.endReason(view, number));
    return commits;
  }

  /**
   * Folds commits of the store into the generation: all of them, or the commits after the place where an earlier call ended.
   *
   * @returns the number of commits, and where a later call continues; null if only a full scan contains later commits
   */
  private async replay(
    view: View,
    number: number,
    from: string | null,
    report: (done: number) => void,
    signal: AbortSignal,
  ): Promise<{ readonly done: number; readonly since: string | null }> {
    const follow = this.followInto(view, number);
    let doneCount = 0;
    for (let page = this.page(from); ;) {
      const { commits, next, since = null } = await page;
      // The next page is read while this page is written.
      if (next !== null) page = this.page(next);
      await follow(await excludeErased(this.ports.documents, commits));
      doneCount += commits.length;
      report(doneCount);
      if (next === null) return { done: doneCount, since };
      if (signal.aborted) throw new RebuildEnded('it was stopped');
      const { building, failed: why } = (await this.generations.current([view]))(view);
      if (building !== number || why !== null) throw new RebuildEnded(await this.endReason(view, number));
    }
  }

  /** Folds commits into the generation: each stream in order, and with pauses for other work of the process. */
  private followInto(view: View, number: number): (commits: readonly Commit[]) => Promise<void> {
    const { events } = this.ports;
    const pace = new BackgroundPacer(() => this.clock.steady());
    const generation = this.generations.open(view, number, (documents) => pacedDocuments(documents, pace));
    const rejectFailure = (stream: string, error: unknown) =>
      Promise.reject(new RebuildEnded(failureReason(stream, error)));
    const follower: Follower = { ...generation, failed: rejectFailure };
    const store = {
      read: (stream: string, from: number, limit: number) => events.read(stream, from, limit),
      readData: async (org: string, digest: string) => {
        await pace.nextPiece();
        return events.readData(org, digest);
      },
    };
    return (commits) => followViews(store, [follower], commits);
  }

  private page(after: string | null): Promise<CommitPage> {
    const page = this.ports.events.scan(after, PAGE);
    // Callers that wait get the error. Without a waiting caller, it must not become an unhandled rejection.
    page.catch(() => undefined);
    return page;
  }

  private async endReason(view: View, number: number): Promise<string> {
    const { building, failed } = (await this.generations.current([view]))(view);
    return building === number && failed !== null ? failed : 'another rebuild of it began';
  }
}
