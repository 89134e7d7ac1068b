import type { EventMeta } from '@assurance/contracts/events/event';
import { streams } from '@assurance/contracts/events/streams';
import type { ControlVersionAnswer } from '@assurance/contracts/policies/answers/control';
import type { Control } from '@assurance/contracts/policies/documents';
import type { ControlEvent } from '@assurance/contracts/policies/events';
import { commitsOf, eventsOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import type { EventStore } from '@assurance/storage-ports';
import { control } from '../../domain/control';

/** A version of a control, as it was before the next version replaced it. */
export interface ControlVersion {
  readonly state: Control;
  /** When it was made (integer milliseconds), and by whom (an id). */
  readonly at: number;
  readonly by: string;
}

/**
 * The versions from `first` to `last`, both included, in order. They are read from the control's events, in bounded pieces. There are few,
 * because only administrators write them.
 */
export async function controlVersions(
  events: Pick<EventStore, 'read' | 'readData'>,
  id: string,
  first: number,
  last: number,
): Promise<readonly ControlVersion[]> {
  const results: ControlVersion[] = [];
  let [state, eventMeta]: [Control | null, EventMeta | null] = [null, null];
  const keep = () => {
    if (state === null || eventMeta === null || state.version < first || state.version > last) return;
    results.push({ state, at: eventMeta.at, by: eventMeta.actor });
  };
  for await (const commit of commitsOf(events, streams.control(id))) {
    const meta = metaOf(commit);
    for (const event of (await eventsOf(events, commit)) as ControlEvent[]) {
      const next: Control = control.evolve(state, event, meta);
      if (next.version !== state?.version) {
        keep();
        eventMeta = meta;
      }
      state = next;
    }
  }
  keep();
  return results;
}

/** A version as the API shows it. @param creator the name of its author */
export function controlVersionAnswer({ state, at }: ControlVersion, creator: string): ControlVersionAnswer {
  const { identifier, version, name, description, links, archived } = state;
  return {
    identifier,
    version,
    name,
    description,
    links,
    created_at: at / 1000,
    created_by: creator,
    status: archived ? 'archived' : 'active',
  };
}
