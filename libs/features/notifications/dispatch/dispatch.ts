import { streams } from '@assurance/contracts/events/streams';
import type { ChannelTarget, SecretRef } from '@assurance/contracts/notifications/events';
import type { Clock, Ids, Settings } from '@assurance/event-sourcing/tokens';
import type { LeasedItem, WorkQueue } from '@assurance/event-sourcing/work-queue/work-queue';
import type { SecretBox } from '@assurance/http';
import { beginningOf } from '@assurance/kernel';
import type { Documents, StoredDocument } from '@assurance/storage-ports';
import type { Tools } from '../channels/channel';
import { channels } from '../channels/registry';
import type { SendResult } from '../channels/send-result';
import type { Attempt, Delivery } from '../domain/delivery';
import { notification } from '../domain/notification';
import { backoff, GIVE_UP_AFTER_MS, retryAfter, TARGET_PAUSE_MAX_MS, TRIES_MAX, WAIT_MAX_MS } from '../domain/retry';
import { secrets } from '../domain/secret';
import type { Signings } from '../domain/signing';
import type { DestinationWork } from './destination-queue';
import { type Destinations, isMail } from './destinations';
import type { Ledger, Next } from './ledger';
import { configsOf } from './listeners';
import { placesOf } from './destinations-of';

/** The longest turn at a destination (milliseconds). An attempt that started before the end may take longer. */
const TURN_MS = 5_000;
const PAGE = 20;

interface Parts {
  readonly documents: Documents;
  readonly ledger: Ledger;
  readonly destinations: Destinations;
  readonly tools: Tools;
  readonly box: SecretBox;
  readonly settings: Pick<Settings, 'publicUrl'>;
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  readonly ids: Pick<Ids, 'random'>;
}

/** The present recipient of a message, or a text with the reason why there is none. */
type Receiver = { readonly channel: ChannelTarget; readonly signings: Signings } | string;

/** Sends the pending messages of a destination one after another. */
export class Dispatch {
  private stopping = false;

  constructor(private readonly parts: Parts) {}

  /** Starts no new attempt. The running attempt continues. */
  stop(): void {
    this.stopping = true;
  }

  /** Sends the pending messages of an HTTP destination. An earlier release also enqueued mail destinations here. They move to the mail queue. */
  async direct(leased: LeasedItem<DestinationWork>): Promise<'rescheduled' | undefined> {
    const { destinations, ledger } = this.parts;
    const [first] = await ledger.listPending(leased.id, 1);
    if (first === undefined || !isMail(first.doc)) return this.work(leased, destinations.directQueue);
    await destinations.enqueue([first.doc]);
    return undefined;
  }

  /** Sends the pending messages of a mail destination. There are no more concurrent calls than connections. */
  mail(leased: LeasedItem<DestinationWork>): Promise<'rescheduled' | undefined> {
    return this.work(leased, this.parts.destinations.mail);
  }

  /** @returns `rescheduled` if messages are left. Then the destination becomes due again */
  private async work(
    leasedItem: LeasedItem<DestinationWork>,
    queue: Pick<WorkQueue<DestinationWork>, 'reschedule'>,
  ): Promise<'rescheduled' | undefined> {
    const { ledger, clock } = this.parts;
    const end = clock.steady() + TURN_MS;
    let { failures } = leasedItem.item;
    for (;;) {
      const pendingDeliveries = await ledger.listPending(leasedItem.id, PAGE);
      if (pendingDeliveries.length === 0) return undefined;
      for (const delivery of pendingDeliveries) {
        const now = clock.now();
        const later = delivery.doc.nextAt > now && delivery.doc.nextAt <= now + WAIT_MAX_MS;
        if (later || this.stopping || clock.steady() > end) {
          await queue.reschedule(leasedItem, { at: later ? delivery.doc.nextAt : now, rest: false, failures });
          return 'rescheduled';
        }
        const at = await this.deliver(delivery, failures);
        if (at !== null) {
          await queue.reschedule(leasedItem, { at, rest: true, failures: failures + 1 });
          return 'rescheduled';
        }
        failures = 0;
      }
    }
  }

  /** @returns the time until which sending to the destination pauses (integer milliseconds); null if it does not pause */
  private async deliver(document: StoredDocument<Delivery>, failures: number): Promise<number | null> {
    const { clock, ledger, ids } = this.parts;
    const receiver = await this.receiver(document.doc);
    if (typeof receiver === 'string') {
      await ledger.note(document, null, { state: 'dead', reason: receiver });
      return null;
    }
    const [at, began] = [clock.now(), clock.steady()];
    const sendResult = await this.send(document, receiver, at);
    const ms = Math.round(clock.steady() - began);
    const attempt: Attempt = { at, delivered: sendResult.delivered, detail: sendResult.detail, ms };
    const now = clock.now();
    const retryAt = sendResult.delivered
      ? null
      : retryAfter(sendResult.retryAfter ?? null, now, (text) => Date.parse(text));
    const random = (ids.random(1)[0] ?? 0) / 256;
    const next = nextOf(document.doc, sendResult, now, retryAt ?? backoff(document.doc.tries + 1, random));
    await ledger.note(document, attempt, next, sendResult.settled);
    if (sendResult.delivered || sendResult.final === true || sendResult.reachable === true || sendResult.triesMax === 1)
      return null;
    await ledger.giveUp(
      document.doc.destination,
      now - GIVE_UP_AFTER_MS,
      `given up after 24 hours: ${sendResult.detail}`,
    );
    return now + (retryAt ?? Math.min(TARGET_PAUSE_MAX_MS, backoff(failures + 1, random)));
  }

  private async send(
    { id, doc }: StoredDocument<Delivery>,
    { channel, signings }: Exclude<Receiver, string>,
    now: number,
  ): Promise<SendResult> {
    const { settings, tools } = this.parts;
    try {
      const fields = await this.fieldsOf(channel);
      if (fields === null) return { delivered: false, detail: 'its URL is gone', final: true };
      const signing = await this.signingSecrets(signings[channel.id], now);
      const site = { publicUrl: settings.publicUrl, org: doc.message.org };
      return await channels[channel.type].send(
        { id, message: doc.message, site, fields, signing, settled: doc.settled ?? {}, now },
        tools,
      );
    } catch (error) {
      return { delivered: false, detail: error instanceof Error ? beginningOf(error.message, 200) : 'it failed' };
    }
  }

  private async receiver({ org, notification: number, target, member }: Delivery): Promise<Receiver> {
    const { documents } = this.parts;
    const aggregateState = await documents.collection(notification.states).get(streams.notification(org, number));
    if (aggregateState === null || aggregateState.deleted) return 'the notification was deleted';
    const configs = await configsOf({ documents }, [aggregateState]);
    const place = placesOf(aggregateState, configs).find(
      (destination) =>
        destination.target === target && (destination.member?.target ?? null) === (member?.target ?? null),
    );
    if (place === undefined) return 'the target was removed';
    const { signings } = place.member === null ? aggregateState : (configs.get(place.member.config) ?? aggregateState);
    return { channel: place.channel, signings };
  }

  private async fieldsOf(channel: ChannelTarget): Promise<Readonly<Record<string, string>> | null> {
    switch (channel.type) {
      case 'EMAIL':
        return { emails: channel.emails };
      case 'SLACK': {
        const { webhook, context } = channel;
        if (webhook !== null) return this.webhookOf(webhook);
        const to = context?.channel_id ?? context?.channel_name;
        return to === undefined ? {} : { channel_id: to };
      }
      default:
        return this.webhookOf(channel.webhook);
    }
  }

  private async webhookOf(ref: SecretRef): Promise<{ readonly webhook: string } | null> {
    const webhook = await this.open(ref);
    return webhook === null ? null : { webhook };
  }

  private async signingSecrets(signing: Signings[string] | undefined, now: number): Promise<string[]> {
    if (signing === undefined) return [];
    const { secret, previous } = signing;
    const refs = previous === null || previous.until <= now ? [secret] : [secret, previous.secret];
    const openedSecrets = await Promise.all(refs.map((ref) => this.open(ref)));
    return openedSecrets.filter((candidate) => candidate !== null);
  }

  private async open({ id }: SecretRef): Promise<string | null> {
    const secretDocument = await this.parts.documents.collection(secrets).get(id);
    return secretDocument === null ? null : this.parts.box.open(secretDocument.sealed, id);
  }
}

function nextOf({ tries, at }: Delivery, sent: SendResult, now: number, wait: number): Next {
  if (sent.delivered) return { state: 'delivered' };
  if (sent.final === true) return { state: 'dead', reason: sent.detail };
  const tried = tries + 1;
  if (tried >= (sent.triesMax ?? TRIES_MAX)) {
    return { state: 'dead', reason: `given up after ${tried} ${tried === 1 ? 'try' : 'tries'}: ${sent.detail}` };
  }
  if (at <= now - GIVE_UP_AFTER_MS) return { state: 'dead', reason: `given up after 24 hours: ${sent.detail}` };
  return { state: 'pending', nextAt: now + wait };
}
