import { setImmediate } from 'node:timers/promises';
import { type Operation, OperationRefused, type Outcome, PORTS, type Ports, type Progress } from '@assurance/http';
import type { View } from '@assurance/projection-views';
import type { CommitPage } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';
import { type Follower, followViews } from './follow-views';
import { Generations } from './generations';
import { whyNot } from './live-followers';
import { VIEWS } from './view';

/** Commits a page: few enough that requests have their turn in between, many enough that a page's writes are worth their while. */
const PAGE = 250;

/** The rebuild ended before the new generation could serve: the sentence says why. */
class Ended extends Error {}

/**
 * `rebuild <view>`: folds all commits into a new generation of the view while the old one serves, then swaps. Why that misses nothing:
 * docs/decisions, "A view is rebuilt beside the one that serves".
 */
@Injectable()
export class RebuildView implements Operation {
  readonly name = 'rebuild';
  readonly usage = VIEWS.map(({ name }) => name).join(' | ');
  readonly summary = 'Builds a view again from all commits while the present one serves.';
  private readonly running = new Set<View>();

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly generations: Generations,
  ) {}

  async run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome> {
    const view = VIEWS.find(({ name }) => name === args[0]);
    if (view === undefined || args.length !== 1) throw new OperationRefused(`say which view: ${this.usage}`);
    if (this.running.has(view)) throw new OperationRefused(`the view ${view.name} is being rebuilt already`);
    return this.rebuild(view, report, signal);
  }

  /** The same, for a view that this process is not rebuilding already. */
  async rebuild(view: View, report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome> {
    this.running.add(view);
    const number = await this.generations.begin(view);
    try {
      const commits = await this.build(view, number, report, signal);
      return { ok: true, summary: `The view ${view.name} is rebuilt from ${commits} commits.`, details: { commits } };
    } catch (error) {
      await this.generations.giveUp(view, number);
      if (error instanceof Ended) {
        return { ok: false, summary: `The view ${view.name} stays as it was: ${error.message}.` };
      }
      throw error;
    } finally {
      await this.generations.clear(view);
      this.running.delete(view);
    }
  }

  /** @returns how many commits there are */
  private async build(
    view: View,
    number: number,
    report: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<number> {
    const commits = await this.fold(view, number, (done) => report({ done, of: null, unit: 'commits' }), signal);
    if (!(await this.generations.join(view, number))) throw new Ended(await this.why(view, number));
    // Live events come in from now on; what batches before that had was in the store before, and is read now.
    await this.fold(view, number, (done) => report({ done: commits + done, of: null, unit: 'commits' }), signal);
    if (!(await this.generations.swap(view, number))) throw new Ended(await this.why(view, number));
    return commits;
  }

  /** Takes all commits that are there into the generation. @returns how many */
  private async fold(view: View, number: number, report: (done: number) => void, signal: AbortSignal): Promise<number> {
    const failed = (stream: string, error: unknown) => Promise.reject(new Ended(whyNot(stream, error)));
    const follower: Follower = { ...this.generations.open(view, number), failed };
    let done = 0;
    for (let page = this.page(null); ;) {
      const { commits, next } = await page;
      // The next page is read while this one's writes are waited for.
      if (next !== null) page = this.page(next);
      await followViews(this.ports.events, [follower], commits);
      done += commits.length;
      report(done);
      if (next === null) return done;
      if (signal.aborted) throw new Ended('nobody waits for it any more');
      const { building, failed: why } = (await this.generations.standing([view]))(view);
      if (building !== number || why !== null) throw new Ended(await this.why(view, number));
      await setImmediate();
    }
  }

  private page(after: string | null): Promise<CommitPage> {
    const page = this.ports.events.scan(after, PAGE);
    // Whoever waits for it hears of a failure; nobody does when the rebuild ends before.
    page.catch(() => undefined);
    return page;
  }

  private async why(view: View, number: number): Promise<string> {
    const { building, failed } = (await this.generations.standing([view]))(view);
    return building === number && failed !== null ? failed : 'another rebuild of it began';
  }
}
