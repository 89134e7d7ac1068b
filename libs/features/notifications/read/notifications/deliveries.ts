import { orderBy } from '@assurance/contracts/events/aggregate';
import type { DeliveryAnswer, DeliveryPage } from '@assurance/contracts/notifications/answers/notification';
import type { Documents, StoredDocument } from '@assurance/storage-ports';
import { deliveries, type Delivery } from '../../domain/delivery';

/**
 * A page of the messages that a notification sent, newest first.
 *
 * @param before where the previous page ended; null for the newest messages
 */
export async function listDeliveries(
  documents: Documents,
  { org, number }: { readonly org: string; readonly number: number },
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<DeliveryPage> {
  const results = await documents.collection(deliveries).find({
    where: { org, notification: number, ...(before === null ? {} : { serial: { lte: before } }) },
    order: orderBy('-serial'),
    limit: limit + 1,
  });
  const next = results.length > limit ? results[limit] : undefined;
  return { deliveries: results.slice(0, limit).map(deliveryAnswer), next: next?.doc.serial ?? null };
}

function deliveryAnswer({ id, doc }: StoredDocument<Delivery>): DeliveryAnswer {
  const { message, state } = doc;
  const counts = Object.entries(message.counts);
  return {
    id,
    target: doc.target,
    config_target: doc.member?.target ?? null,
    channel: doc.channel,
    environment: message.environment,
    flow: message.trail?.flow ?? null,
    trail: message.trail?.trail ?? null,
    snapshot_index: message.snapshot?.index ?? null,
    event_types: counts.map(([type]) => type),
    events: counts.reduce((sum, [, count]) => sum + count, 0),
    state,
    created_at: doc.at / 1000,
    next_attempt_at: state === 'pending' ? doc.nextAt / 1000 : null,
    reason: doc.reason,
    attempts: doc.attempts.map(({ at, delivered, detail, ms }) => ({
      at: at / 1000,
      outcome: delivered ? 'delivered' : 'failed',
      detail,
      duration_ms: ms,
    })),
    attempts_count: doc.tried,
  };
}
