import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Register } from '@assurance/access/write/register';
import { NO_ORGANIZATION, SYSTEM } from '@assurance/contracts/events/streams';
import { OperationRefused } from '@assurance/event-sourcing/operation';
import {
  CLOCK,
  type Clock,
  IDS,
  type Ids,
  LOGGER,
  type Logger,
  PORTS,
  type Ports,
  SETTINGS,
  type Settings,
} from '@assurance/event-sourcing/tokens';
import { type LeasedItem, WorkQueue } from '@assurance/event-sourcing/work-queue/work-queue';
import { QueueWorkers } from '@assurance/event-sourcing/work-queue/workers';
import { addressRule } from '@assurance/http/outgoing/addresses';
import { OutgoingConnections } from '@assurance/http/outgoing/outgoing';
import { sha256, workFor } from '@assurance/kernel';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ImportVulnerabilitiesFile } from '../import-vulnerabilities-file';
import { download, NotDownloaded } from './download';
import { type SourceDocument, sourceItems, sources } from './sources';

/** The most bytes of a file, the most milliseconds that its download may take, and the most that a response may send nothing. */
const BOUNDS = { bytes: 512 * 1024 * 1024, ms: 15 * 60_000 };
const SILENCE_MS = 30_000;
/** How long one process leases an address: longer than a large file takes. */
const LEASE_MS = 2 * 3_600_000;
/** The first delay after a failure. Each further delay is twice as long, up to the normal time between two reads. */
const RETRY_MS = 60_000;
/** The most characters of a problem that are kept. */
const PROBLEM_MAX = 500;

/** The result of one read: the state that it leaves. */
type Outcome = Pick<SourceDocument, 'etag' | 'lastModified' | 'organizations' | 'problem'>;

/**
 * Imports files of vulnerabilities from the configured addresses, repeatedly. One process at a time reads an address, and it imports the file only if
 * the file changed. It retries after a failure, and logs the same problem only once.
 */
@Injectable()
export class FetchVulnerabilities implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly urls: ReadonlyMap<string, URL>;
  private readonly queue: WorkQueue<object>;
  private readonly workers: QueueWorkers<object>;
  private readonly outgoing: OutgoingConnections;
  private readonly stopController = new AbortController();

  constructor(
    private readonly register: Register,
    private readonly file: ImportVulnerabilitiesFile,
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { vulnerabilitySources, notifying, proxies } = settings;
    this.urls = new Map(vulnerabilitySources.urls.map((url) => [sha256(url), new URL(url)]));
    this.outgoing = new OutgoingConnections(addressRule(notifying.targetNetworks), SILENCE_MS, undefined, proxies);
    this.queue = new WorkQueue(ports.documents.collection(sourceItems), () => clock.now(), {
      leaseMs: LEASE_MS,
      pauseMaxMs: vulnerabilitySources.everyMs,
      together: (_, next) => next,
      cleared: (item) => item,
    });
    this.workers = new QueueWorkers({
      queue: this.queue,
      workers: 1,
      work: (leased) => this.work(leased),
      newId: () => ids.next(),
      onFailure: (err, leased) => {
        if (this.stopController.signal.aborted) return;
        logger.warn({ err, source: this.sourceOf(leased?.id) }, 'vulnerabilities could not be fetched');
      },
    });
  }

  /** Enqueues the addresses. An address that is already in the queue keeps its time. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.urls.size === 0) return;
    await this.queue.enqueue(new Map([...this.urls.keys()].map((id) => [id, {}])));
    this.workers.start();
  }

  /** Stops a running import. The import begins again with the next start. */
  async onApplicationShutdown(): Promise<void> {
    this.stopController.abort();
    await this.workers.stop();
    await this.outgoing.close();
  }

  private async work(leased: LeasedItem<object>): Promise<'rescheduled'> {
    const { everyMs } = this.settings.vulnerabilitySources;
    const url = this.urls.get(leased.id);
    const failed = url === undefined ? false : await this.read(leased.id, url);
    const failures = failed ? leased.item.failures + 1 : 0;
    const rest = failed ? Math.min(everyMs, RETRY_MS * 2 ** Math.min(leased.item.failures, 20)) : everyMs;
    await this.queue.reschedule(leased, { at: this.clock.now() + rest, rest: true, failures });
    return 'rescheduled';
  }

  /** @returns whether the read failed */
  private async read(id: string, url: URL): Promise<boolean> {
    const collection = this.ports.documents.collection(sources);
    const before = await collection.get(id);
    const outcome = await this.outcomeOf(url, before).catch((error: unknown): Outcome => {
      this.stopController.signal.throwIfAborted();
      const { etag = null, lastModified = null, organizations = '' } = before ?? {};
      return { etag, lastModified, organizations, problem: problemOf(error) };
    });
    const failing = outcome.problem !== null;
    await collection.merge([id], () => ({ ...outcome, failing, at: this.clock.now() }));
    this.tell(url, before?.problem ?? null, outcome.problem);
    return failing;
  }

  /** Logs each problem once, until it changes or ends. */
  private tell(url: URL, before: string | null, problem: string | null): void {
    const source = sourceOf(url);
    if (problem === null) {
      if (before !== null) this.logger.info({ source }, 'vulnerabilities are fetched again');
    } else if (before === null || kindOf(problem) !== kindOf(before)) {
      this.logger.warn(
        { source, problem },
        'vulnerabilities could not be fetched: what was imported before stays, and it is tried again. See ASSURANCE_VULNERABILITIES_URL in the documentation',
      );
    }
  }

  /** @throws NotDownloaded, OperationRefused */
  private async outcomeOf(url: URL, before: SourceDocument | null): Promise<Outcome> {
    const orgs = await this.organizations();
    const organizations = orgs.toSorted().join(' ');
    // If another set of organizations imported the last version, download the file even if it did not change.
    const lastImport = before?.organizations === organizations ? before : null;
    const folder = await mkdtemp(join(tmpdir(), 'assurance-vulnerabilities-'));
    try {
      const { signal } = this.stopController;
      const file = await download(this.outgoing, url, join(folder, 'file'), lastImport, BOUNDS, signal);
      if (file === null) return { ...(lastImport ?? { etag: null, lastModified: null }), organizations, problem: null };
      try {
        for (const org of orgs) {
          const by = { org, actor: SYSTEM, correlation: this.ids.next() };
          const { ok, summary } = await workFor(org, async () => {
            await this.file.refuseUnreadable(org, file.handle);
            return this.file.importFrom(by, file.handle, nameOf(url), () => undefined, signal);
          });
          if (!ok) this.logger.warn({ source: sourceOf(url), org, summary }, 'fetched vulnerabilities are incomplete');
        }
        return { ...file.version, organizations, problem: null };
      } finally {
        await file.handle.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** @throws OperationRefused if no organization has a configured name */
  private async organizations(): Promise<string[]> {
    const ids: string[] = [];
    for (const name of this.settings.vulnerabilitySources.organizations) {
      const org = await this.register.find(NO_ORGANIZATION, 'account', name);
      if (org === null) throw new OperationRefused(`There is no organization '${name}'`);
      ids.push(org);
    }
    return ids;
  }

  private sourceOf(id: string | undefined): string | null {
    const url = id === undefined ? undefined : this.urls.get(id);
    return url === undefined ? null : sourceOf(url);
  }
}

/** Returns an address without its query, which may contain a token. */
function sourceOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function nameOf({ pathname, hostname }: URL): string {
  return basename(pathname) || hostname;
}

/** Returns a problem without its details, which may differ each time: a connection can fail in many ways. */
function kindOf(problem: string): string {
  return problem.split(':', 1)[0] ?? problem;
}

function problemOf(error: unknown): string {
  if (error instanceof NotDownloaded || error instanceof OperationRefused) return error.message.slice(0, PROBLEM_MAX);
  throw error;
}
