import { CLOCK, type Clock, PORTS, type Ports } from '@assurance/http';
import { deploymentsView, environmentEventsView, flowActivityView, type View } from '@assurance/projection-views';
import { Inject, Injectable } from '@nestjs/common';
import type { Asker } from './asker';
import { caughtUp } from './caught-up';
import { Progress } from './progress';

/** All views that follow the feed. */
export const VIEWS: readonly View[] = [deploymentsView, environmentEventsView, flowActivityView];

/** What a view answers, and how far behind the asker's own writes it is. */
export interface Seen<T> {
  readonly value: T;
  /** Seconds; 0 when it holds them all. */
  readonly behind: number;
}

/** The views, read after the asker's own writes. */
@Injectable()
export class Views {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly progress: Progress,
  ) {}

  async read<T>(view: View, { actor }: Asker, query: (documents: Ports['documents']) => Promise<T>): Promise<Seen<T>> {
    const behind = await caughtUp(this.ports.events, this.progress, view, actor, () => this.clock.now());
    return { value: await query(this.ports.documents), behind };
  }
}

/** The header that tells a caller that a view does not hold its newest writes yet. */
export function behindHeader({ behind }: Seen<unknown>): Readonly<Record<string, string>> {
  return behind === 0 ? {} : { 'x-assurance-behind': String(behind) };
}
