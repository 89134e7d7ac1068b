import { streams } from '@assurance/contracts/events/streams';
import type { TrailBegun, TrailSettings, TrailUpdated } from '@assurance/contracts/flows/events';
import { commitAt, eventsOf } from '@assurance/event-sourcing/sealing/read';
import type { EventStore } from '@assurance/storage-ports';
import type { Trail, TrailField } from '../../domain/trail';

/** Reads the settings of a trail from the commits in its aggregate state: at most one commit for each field. */
export async function settingsOf(
  store: EventStore,
  trail: Trail,
  fields: readonly TrailField[],
): Promise<Partial<TrailSettings>> {
  const stream = streams.trail(trail.flow.id, trail.name);
  const seqs = new Set(fields.flatMap((field) => trail.set[field]?.seq ?? []));
  const results = new Map<TrailField, unknown>();
  for (const seq of seqs) {
    const commit = await commitAt(store, stream, seq);
    const events = (await eventsOf(store, commit, isSettingsEvent)) as (TrailBegun | TrailUpdated)[];
    for (const field of fields) {
      if (trail.set[field]?.seq !== seq) continue;
      for (const { data } of events) if (field in data) results.set(field, (data as Partial<TrailSettings>)[field]);
    }
  }
  return Object.fromEntries(results);
}

function isSettingsEvent(type: string): boolean {
  return type === 'TrailBegun' || type === 'TrailUpdated';
}
