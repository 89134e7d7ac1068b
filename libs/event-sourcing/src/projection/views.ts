import { Refused } from '@assurance/contracts/http/refusals';
import { yieldSlotWhile } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, PORTS, type Ports } from '../tokens';
import { waitForView } from './wait-for-view';
import { Generations, isCurrent } from './generations';
import type { View } from './view';

/** All views that follow the feed: `@Inject(VIEWS) views: readonly View[]`. */
export const VIEWS = Symbol('views');

/** How long a query waits for a view that is being built for the first time, or by a new version (milliseconds). */
const WAIT_MS = 2_000;
const STEP_MS = 10;

/** The refusal while the view exists only in an older version. */
interface ViewBuilding {
  readonly kind: 'view-building';
}

/** The result of a query on a view, and how far the view is behind the writes of the caller. */
export interface ViewAnswer<T> {
  readonly value: T;
  /** Seconds; 0 when the view contains all writes of the caller. */
  readonly behind: number;
}

/** Reads views in such a way that callers see their own recent writes. */
@Injectable()
export class Views {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly generations: Generations,
  ) {}

  /**
   * Waits until the view contains the recent writes of the caller, then runs the query.
   *
   * @param query reads the view through the documents of the serving generation. It is called again if another generation serves when it ends,
   *   because a generation that no longer serves may be removed while the query reads it.
   * @throws Refused `view-building` while only a generation of an older version exists
   */
  async read<T>(
    view: View,
    { actor }: { readonly actor: string },
    query: (documents: Ports['documents']) => Promise<T>,
  ): Promise<ViewAnswer<T>> {
    for (let number = await this.servingNumber(view); ;) {
      const { documents, checkpoints } = this.generations.open(view, number);
      const read = async (): Promise<ViewAnswer<T>> => {
        const behind = await waitForView(this.ports.events, checkpoints, view, actor, this.clock);
        return { value: await query(documents), behind };
      };
      const [seen] = await Promise.allSettled([read()]);
      const now = await this.servingNumber(view);
      if (now === number && seen.status === 'fulfilled') return seen.value;
      if (now === number && seen.status === 'rejected') throw seen.reason;
      number = now;
    }
  }

  private async servingNumber(view: View): Promise<number> {
    const start = this.clock.steady();
    for (;;) {
      const generation = (await this.generations.current([view]))(view);
      if (isCurrent(view, generation)) return generation.serving;
      if (this.clock.steady() - start >= WAIT_MS) throw new Refused<ViewBuilding>({ kind: 'view-building' });
      await yieldSlotWhile(() => new Promise((resolve) => setTimeout(resolve, STEP_MS)));
    }
  }
}

/** The header for the caller if the view does not contain its newest writes yet. */
export function behindHeader({ behind }: ViewAnswer<unknown>): Readonly<Record<string, string>> {
  return behind === 0 ? {} : { 'x-assurance-behind': String(behind) };
}
