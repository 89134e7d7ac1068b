import { stat, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Checkpointer } from '@assurance/event-sourcing/checkpoints/checkpointer';
import type { FeedStrategy } from '@assurance/event-sourcing/feed/feed-strategy';
import type { Relay } from '@assurance/event-sourcing/relay/relay';
import type { StoredKind } from '@assurance/event-sourcing/tokens';
import type { Answered, CountedDocuments, Queue } from '@assurance/http';
import { storageUsage } from '@assurance/http/storage-usage';
import { VERSION } from '@assurance/kernel';
import type { AppendOutcome, Documents, Engines } from '@assurance/storage-ports';
import { WAITING_BYTES_MAX, type WaitingWrites } from '@assurance/storage-sqlite';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { lastBackupAt } from '../operations/last-backup';
import type { TlsFiles } from '../tls/tls-files';
import { memoryLimit } from './memory-limit';
import { StoredFigures, type StoredValue } from './stored-figures';
import { watchHolds } from './watch-holds';

type Group = Pick<FeedStrategy, 'group' | 'lag' | 'listParked' | 'pauseReason'>;

/** Engines, and the writes that wait for their single writer if they have one. */
export type MeasuredEngines = Engines & { readonly waiting?: () => readonly WaitingWrites[] };

/** Seconds, from a report that changes nothing to a report of 20,000 artifacts. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Seconds. The goal is that no hold of the main thread is longer than 0.05. */
const HOLD_BUCKETS = [0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10];

/** The figures of one process, for Prometheus. Labels are routes, methods, classes of status and groups, never texts of callers. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'assurance_http_request_duration_seconds',
    help: 'Requests by route, method and class of status, from the first byte in to the last byte out',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  private readonly receivedBytes = this.counter(
    'assurance_http_request_bytes_total',
    'Bytes of request bodies by route',
    'route',
  );
  private readonly sentBytes = this.counter(
    'assurance_http_response_bytes_total',
    'Bytes of answers by route',
    'route',
  );
  private readonly appends = this.counter(
    'assurance_event_store_appends_total',
    'Appends to the event store by outcome: appended, conflict or gap',
    'outcome',
  );
  private readonly holds = new Histogram({
    name: 'assurance_main_thread_hold_seconds',
    help: 'Times of more than 10 ms for which the main thread computed without a pause',
    buckets: HOLD_BUCKETS,
    registers: [this.registry],
  });
  private readonly stored: StoredFigures;
  private readonly stopHolds: () => void;

  /** @param steady milliseconds of a clock that never jumps */
  constructor(steady: () => number = () => performance.now()) {
    collectDefaultMetrics({ register: this.registry });
    this.stored = new StoredFigures(this.registry, steady);
    for (const outcome of ['appended', 'conflict', 'gap'] satisfies AppendOutcome[]) this.appends.inc({ outcome }, 0);
    this.stopHolds = watchHolds((seconds) => this.holds.observe(seconds));
    new Gauge({
      name: 'assurance_build_info',
      help: '1, with the release of the service and the version of Node',
      labelNames: ['version', 'node'],
      registers: [this.registry],
    }).set({ version: VERSION, node: process.versions.node }, 1);
    const limit = 'Bytes of memory that the process may use; absent where nothing limits it';
    this.figure('assurance_memory_limit_bytes', limit, () => memoryLimit(process.constrainedMemory(), totalmem()));
  }

  /** Stops the measurement of holds and the reads of stores. */
  stop(): void {
    this.stopHolds();
    this.stored.stop();
  }

  recordAnswer({ route, method, status, milliseconds, received, sent }: Answered): void {
    const routeLabel = route ?? 'none';
    // With an unknown path, a caller may send any method.
    const methodLabel = route === null ? 'any' : method;
    this.requests.observe(
      { route: routeLabel, method: methodLabel, status: `${Math.trunc(status / 100)}xx` },
      milliseconds / 1_000,
    );
    if (received > 0) this.receivedBytes.inc({ route: routeLabel }, received);
    if (sent > 0) this.sentBytes.inc({ route: routeLabel }, sent);
  }

  recordAppend(outcome: AppendOutcome): void {
    this.appends.inc({ outcome });
  }

  /** Shows the lag and the parked streams of these groups, and whether they are paused. */
  watch(groups: readonly Group[]): void {
    const each = (read: (group: Group) => Promise<number>): StoredValue[] =>
      groups.map((group) => ({ label: group.group, read: () => read(group) }));
    const lag = each((group) => group.lag());
    this.stored.add('assurance_feed_lag_commits', 'Commits that a consumer group has not processed yet', 'group', lag);
    const parkedStreams = each(async (group) => (await group.listParked()).length);
    const parkedHelp = 'Streams that a consumer group could not process';
    this.stored.add('assurance_feed_parked_streams', parkedHelp, 'group', parkedStreams);
    this.gauge(
      'assurance_feed_paused',
      '1 while a consumer group is paused in this process because of an event of a newer version, else 0',
      'group',
      groups.map((group) => ({ label: group.group, value: () => Number(group.pauseReason !== null) })),
    );
  }

  /** Shows whether Kafka answers this process. @param reach rejects if it does not */
  watchKafka(reach: () => Promise<void>): void {
    const help = '1 while Kafka answers this process, 0 if it gave no answer for 15 s';
    this.stored.addReachable('assurance_kafka_reachable', help, reach);
  }

  /** Shows how many work items are due in each queue, for the workers of all processes. */
  watchQueues(documents: Documents, queues: readonly Queue[]): void {
    const pendingItems = queues.map(({ name, items: marks }) => ({
      label: name,
      read: () => documents.collection(marks).count({ due: true }),
    }));
    this.stored.add('assurance_due_marks', 'Work items that wait, rest or run, by queue', 'queue', pendingItems);
  }

  /**
   * Shows the stored bytes of the organization that stores most, and the limit of one organization.
   *
   * @param limits bytes; 0 is no limit, and is not shown
   */
  watchUsage(documents: Documents, limits: Readonly<Record<StoredKind, number>>): void {
    const usage = documents.collection(storageUsage);
    const largestUse = (kind: StoredKind) => ({
      label: kind,
      read: async () => (await usage.find({ where: {}, order: [[kind, 'desc']], limit: 1 }))[0]?.doc[kind] ?? 0,
    });
    const help = 'Stored bytes of the organization that stores most, by kind';
    this.stored.add('assurance_organization_stored_bytes_most', help, 'kind', [
      largestUse('events'),
      largestUse('attachments'),
    ]);
    const limitedKinds = (['events', 'attachments'] as const).filter((kind) => limits[kind] > 0);
    this.gauge(
      'assurance_organization_stored_bytes_limit',
      'Bytes that one organization may store, by kind; absent without a limit',
      'kind',
      limitedKinds.map((kind) => ({ label: kind, value: () => limits[kind] })),
    );
  }

  /** Shows the writes that wait for the writer of the embedded engine. */
  watchWrites(waiting: () => readonly WaitingWrites[]): void {
    const each = (of: 'operations' | 'bytes') =>
      waiting().map(({ lane }, i) => ({ label: lane, value: () => waiting()[i]?.[of] ?? 0 }));
    this.gauge('assurance_write_queue_operations', 'Writes that wait for the writer', 'lane', each('operations'));
    this.gauge('assurance_write_queue_bytes', 'Bytes of writes that wait for the writer', 'lane', each('bytes'));
    const limit = 'Bytes of writes that may wait for one writer before requests are refused';
    const limits = waiting().map(({ lane }) => ({ label: lane, value: () => WAITING_BYTES_MAX }));
    this.gauge('assurance_write_queue_limit_bytes', limit, 'lane', limits);
  }

  /** Shows whether this process publishes commits to the feed, and how far behind it is. */
  watchRelay(relay: Pick<Relay, 'status'>): void {
    const active = () => Number(relay.status().active);
    this.figure(
      'assurance_relay_active',
      '1 while this process publishes commits or tries to, 0 while it stands by',
      active,
    );
    this.figure(
      'assurance_relay_lag_seconds',
      'Time since commits were last acknowledged while others wait; 0 while none waits',
      () => {
        const { lag } = relay.status();
        return lag === null ? null : lag / 1_000;
      },
    );
  }

  /**
   * Shows how long ago a signed checkpoint last covered all commits. Until the first one, it counts from the start of
   * the process.
   */
  watchCheckpoints(checkpointer: Pick<Checkpointer, 'coveredAt'>, now: () => number): void {
    const start = now();
    const age = () => Math.max(0, now() - (checkpointer.coveredAt ?? start)) / 1_000;
    this.figure('assurance_checkpoint_age_seconds', 'Time since a signed checkpoint covered all commits', age);
  }

  /**
   * Shows how long ago everything was last backed up, and how often that should happen.
   *
   * @param everySeconds the schedule of backups
   * @param now milliseconds since 1970
   */
  watchBackups(documents: Documents, everySeconds: number, now: () => number): void {
    const age = async () => Math.max(0, now() - (await lastBackupAt(documents, now()))) / 1_000;
    this.stored.add('assurance_backup_age_seconds', 'Time since the last complete backup', null, [
      { label: '', read: age },
    ]);
    const help = 'How often a backup should be made (ASSURANCE_BACKUP_EVERY_SECONDS)';
    this.figure('assurance_backup_schedule_seconds', help, () => everySeconds);
  }

  /** Shows how long the certificate of the listeners is valid. @param now milliseconds since 1970 */
  watchCertificate(tls: Pick<TlsFiles, 'validity'>, now: () => number): void {
    const left = 'Time until the certificate of the listeners ends; below 0 it has ended';
    this.figure('assurance_certificate_remaining_seconds', left, () => {
      const { validity } = tls;
      return validity === null ? null : (validity.to - now()) / 1_000;
    });
    const whole = 'Time from the beginning to the end of the certificate of the listeners';
    this.figure('assurance_certificate_lifetime_seconds', whole, () => {
      const { validity } = tls;
      return validity === null ? null : (validity.to - validity.from) / 1_000;
    });
  }

  /** Shows the document counts that roles define. */
  watchDocuments(documents: Documents, counts: readonly CountedDocuments[], now: () => number): void {
    for (const { name, help, collection, where } of counts) {
      const read = () => documents.collection(collection).count(where(now()));
      this.stored.add(name, help, null, [{ label: '', read }]);
    }
  }

  /** Shows the free disk space of the data folder, and the size of its database with its write-ahead log. */
  watchFolder(folder: string): void {
    const diskSpace = async () => {
      const { bavail, blocks, bsize } = await statfs(folder);
      return { free: bavail * bsize, size: blocks * bsize };
    };
    const bytes = async (...names: readonly string[]) => {
      const size = async (name: string) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0;
      return (await Promise.all(names.map(size))).reduce((sum, value) => sum + value, 0);
    };
    this.stored.add('assurance_data_disk_bytes', 'Bytes of the file system of the data folder, by kind', 'kind', [
      { label: 'free', read: async () => (await diskSpace()).free },
      { label: 'size', read: async () => (await diskSpace()).size },
    ]);
    this.stored.add('assurance_data_file_bytes', 'Bytes of the databases of the embedded engine, by file', 'file', [
      { label: 'database', read: () => bytes('assurance.db', 'derived.db') },
      { label: 'log', read: () => bytes('assurance.db-wal', 'derived.db-wal') },
    ]);
  }

  /** All figures in the text format of Prometheus, soon. */
  async text(): Promise<{ readonly type: string; readonly text: string }> {
    await this.stored.refresh();
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  private counter<Label extends string>(name: string, help: string, label: Label): Counter<Label> {
    return new Counter({ name, help, labelNames: [label], registers: [this.registry] });
  }

  /** @param value returns the current value; null hides the figure */
  private figure(name: string, help: string, value: () => number | null): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        const now = value();
        if (now === null) this.remove();
        else this.set(now);
      },
    });
  }

  private gauge(
    name: string,
    help: string,
    labelName: string,
    all: readonly { readonly label: string; readonly value: () => number }[],
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [labelName],
      registers: [this.registry],
      collect() {
        for (const { label, value } of all) this.set({ [labelName]: label }, value());
      },
    });
  }
}
