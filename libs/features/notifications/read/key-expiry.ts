import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { NotificationConfigAnswer } from '@assurance/contracts/notifications/answers/notification';
import type { Target } from '@assurance/contracts/notifications/events';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { ok, type Result } from '@assurance/kernel';
import { getAll } from '@assurance/storage-ports';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { deliveries } from '../domain/delivery';
import { healthId, targetHealth } from '../domain/health';
import { KEY_EXPIRY_NUMBER, NOTICE_DAYS } from '../domain/key-expiry';
import { notification } from '../domain/notification';
import { keyExpiryTargets } from './notifications/answer';

/** How many of the newest messages are searched for the last failure. */
const LOOKED_AT = 50;

/** The targets of warnings about expiring API keys. */
export class GetKeyExpiry extends queryBy<Record<never, never>, Result<NotificationConfigAnswer, never>>() {}

@QueryHandler(GetKeyExpiry)
export class GetKeyExpiryHandler extends ReadingHandler implements IQueryHandler<GetKeyExpiry> {
  async execute({ caller: { org } }: GetKeyExpiry): Promise<Result<NotificationConfigAnswer, never>> {
    const { documents } = this.ports;
    const state = await documents.collection(notification.states).get(streams.notification(org.id, KEY_EXPIRY_NUMBER));
    const healths = await getAll(
      documents.collection(targetHealth),
      (state?.targets ?? []).map(({ id }) => healthId(id, null)),
    );
    const healthOf = ({ id }: Target) => healths.get(healthId(id, null)) ?? null;
    const successes = [...healths.values()].flatMap(({ lastSuccessAt }) => lastSuccessAt ?? []);
    return ok({
      notification_type: 'api_key_expiry',
      scope: null,
      targets: state === null ? [] : keyExpiryTargets(state, healthOf),
      detection: { days_before: [...NOTICE_DAYS] },
      last_notified_at: successes.length === 0 ? null : Math.max(...successes) / 1000,
      last_failure: state === null || state.deleted ? null : await this.lastFailure(org.id),
    });
  }

  private async lastFailure(org: string): Promise<NotificationConfigAnswer['last_failure']> {
    const results = await this.ports.documents.collection(deliveries).find({
      where: { org, notification: KEY_EXPIRY_NUMBER },
      order: orderBy('-serial'),
      limit: LOOKED_AT,
    });
    const failedAttempts = results.flatMap(({ doc }) => doc.attempts).filter(({ delivered }) => !delivered);
    const last = failedAttempts.reduce<(typeof failedAttempts)[number] | null>(
      (newest, attempt) => (newest === null || attempt.at > newest.at ? attempt : newest),
      null,
    );
    return last === null ? null : { failed_at: last.at / 1000, error: last.detail };
  }
}
