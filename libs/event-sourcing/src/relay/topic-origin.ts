import { kindOf, streams } from '@assurance/contracts/events/streams';
import { type Commit, type EventStore, StoreMisconfigured } from '@assurance/storage-ports';

type EventReader = Pick<EventStore, 'read' | 'newest'>;

/**
 * Checks that a topic holds only commits of this store. The store has each commit before the topic. If the store does
 * not have the newest commit of a partition, the store was restored to an earlier time, or the topic belongs to another
 * installation. Then consumers would skip commits that the views lack, and new commits would take the positions of lost
 * ones. Streams of erased organizations may be missing.
 *
 * @param newest the newest commit of each partition of the topic
 * @throws StoreMisconfigured
 */
export async function checkOrigin(events: EventReader, topic: string, newest: readonly Commit[]): Promise<void> {
  for (const commit of newest) {
    if (await has(events, commit)) continue;
    const { stream, seq, at } = commit;
    throw new StoreMisconfigured(
      `Topic ${topic} has a commit that MongoDB does not have: ${seq} of ${stream}, of ${new Date(at).toISOString()}. MongoDB was ` +
        'restored to an earlier moment, or another installation uses the topic. Stop all services, set an ASSURANCE_KAFKA_PREFIX that ' +
        'was never used, such as restored-1., on all of them, and start them: they make a topic of their own and fill it from MongoDB.',
    );
  }
}

async function has(events: EventReader, { org, stream, seq, id }: Commit): Promise<boolean> {
  const [stored] = await events.read(stream, seq, 1);
  if (stored?.seq === seq) return stored.id === id;
  // These streams of an erased organization are removed too. They refer to it only by its former name.
  if (kindOf(stream) === 'declaration') return true;
  const last = await events.newest(streams.organization(org));
  return last?.events.some(({ type }) => type === 'OrganizationErased') === true;
}
