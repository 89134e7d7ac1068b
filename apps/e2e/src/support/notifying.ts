import type {
  DeliveryAnswer,
  DeliveryPage,
  NotificationAnswer,
} from '@assurance/contracts/notifications/answers/notification';
import type { Caller } from './caller';
import { eventually } from './eventually';
import type { ReceivedRequest, Receiver } from './receiver';
import { fresh } from './samples';

export const NOTIFICATIONS = '/organizations/acme/environments_notifications';
export const TARGET_CONFIGS = '/organizations/acme/notification_target_configs';

/** Makes a notification of a name of its own, of started artifacts unless given otherwise. */
export async function notification(
  caller: Caller,
  fields: Readonly<Record<string, unknown>>,
): Promise<NotificationAnswer> {
  const json = { name: fresh('alert'), environments: [], triggers: ['ON_STARTED_ARTIFACT'], targets: [], ...fields };
  await caller.expect(201, 'PUT', NOTIFICATIONS, { json });
  const result = (await caller.get<NotificationAnswer[]>(NOTIFICATIONS)).find(({ name }) => name === json.name);
  if (result === undefined) throw new Error('it is not listed');
  return result;
}

export const webhook = (url: string) => ({ type: 'WEBHOOK', webhook: url });

/** Waits for a number of messages at a path and returns them. */
export const arrived = (receiver: Receiver, path: string, count: number): Promise<ReceivedRequest[]> =>
  eventually(
    () => Promise.resolve(receiver.at(path)),
    (all) => all.length >= count,
  );

/** The payloads that reached a path, once so many have. */
export async function payloads(receiver: Receiver, path: string, count: number): Promise<Record<string, unknown>[]> {
  return (await arrived(receiver, path, count)).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

/** Sends a test to every target of a notification. */
export const test = (caller: Caller, number: number): Promise<string> =>
  caller.expect(200, 'POST', `${NOTIFICATIONS}/${number}/test`);

export const deliveries = (caller: Caller, number: number, query = ''): Promise<DeliveryPage> =>
  caller.get<DeliveryPage>(`${NOTIFICATIONS}/${number}/deliveries${query}`);

/** All that a notification sent, newest first. */
export async function ledger(caller: Caller, number: number): Promise<DeliveryAnswer[]> {
  const all: DeliveryAnswer[] = [];
  for (let before = ''; ;) {
    const page = await deliveries(caller, number, `?per_page=50${before}`);
    all.push(...page.deliveries);
    if (page.next === null) return all;
    before = `&before=${page.next}`;
  }
}

/**
 * All that a notification sent, once its receiver has so many messages and nothing is left to be sent. The receiver is asked first: a ledger of
 * thousands has many pages.
 *
 * @param patienceMs milliseconds, after which it returns what there is
 */
export async function settledLedger(
  caller: Caller,
  number: number,
  { receiver, count, patienceMs }: { readonly receiver: Receiver; readonly count: number; readonly patienceMs: number },
): Promise<DeliveryAnswer[]> {
  const keys = () => new Set(receiver.received.map(({ headers }) => headers['idempotency-key'])).size;
  await eventually(keys, (sent) => sent >= count, patienceMs);
  const isSettled = (all: readonly DeliveryAnswer[]) =>
    all.length >= count && all.every(({ state }) => state !== 'pending');
  return eventually(() => ledger(caller, number), isSettled, patienceMs);
}
