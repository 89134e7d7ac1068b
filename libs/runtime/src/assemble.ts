import type { Checkpointer } from '@assurance/event-sourcing/checkpoints/checkpointer';
import { signerOf } from '@assurance/event-sourcing/checkpoints/keys';
import type { Settings } from '@assurance/event-sourcing/tokens';
import {
  type Announce,
  type Answered,
  type Bootstrap,
  CannotStart,
  identityKey,
  type Role,
  secretBox,
} from '@assurance/http';
import { bytesOfCommit, StorageUsage } from '@assurance/http/storage-usage';
import type { Result } from '@assurance/kernel';
import type { Engines } from '@assurance/storage-ports';
import type { Backup } from '@assurance/storage-sqlite';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { startApplication } from './application';
import { archivedCollectionsOf, exportOperation } from './archive/export-operation';
import { problemOfImport } from './archive/import-archive';
import { catchUp, type RestorableEngines } from './catch-up';
import { type EnginesWithChanges, checkpointerOf } from './checkpoints';
import type { Config } from './config';
import { type OpenedEngines, openEngines } from './engines';
import { identityGuard, limiterOf, revocationsOf } from './identity';
import { logAnswered } from './log';
import { withCounts } from './metrics/counted';
import { Metrics, type MeasuredEngines } from './metrics/metrics';
import { AdminCommands } from './operations/admin-commands';
import { backupOperation } from './operations/backup';
import { checkpointOperation } from './operations/checkpoint';
import { noteBackup } from './operations/last-backup';
import { ProcessHealth } from './operations/health';
import { parkedOperation, replayOperation } from './operations/streams';
import { servicesOf } from './roles';
import { openSecrets } from './secret';
import { settingsOf } from './settings';
import { idsOf, systemRandom, systemTime } from './sources';
import type { TlsFiles } from './tls/tls-files';
import { tracedEngines } from './tracing/traced-engines';
import type { Tracing } from './tracing/tracing';
import type { CleanupStack } from './cleanup-stack';
import { watchClock } from './watch-clock';

/** Engines, and the backup of their data folder if they have one. */
type BackedUp = Engines & { readonly backup?: Backup };

/** The parts from which roles are assembled. */
export interface Parts {
  readonly config: Config;
  readonly logger: Logger;
  readonly bootstrap: Bootstrap;
  readonly announce: Announce;
  /** Read its port late: port 0 becomes a real port only when the process listens. */
  readonly address: { readonly port: number };
  /** Open engines. Their owner closes them. Without them, `assemble` opens the configured engines. */
  readonly engines?: EnginesWithChanges;
  /** The data folder of these engines, if they have one. */
  readonly folder?: string | null;
  /** The time of the clock: integer milliseconds since 1970. */
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  /** Receives faults that no caller waits for. By default they are logged. */
  readonly onFault?: (fault: unknown) => void;
  /** Opens a store that is marked as partially imported, to finish the import. */
  readonly importing?: boolean;
  /** Null: nothing is traced. */
  readonly tracing?: Tracing | null;
  /** Null: plain HTTP, and only the certificate authorities that Node trusts. */
  readonly tls?: TlsFiles | null;
}

/** Assembled roles. They follow the feed and do not listen yet. */
export interface AssembledRoles {
  readonly app: NestFastifyApplication;
  readonly engines: Engines;
  /** The data folder; null without one. */
  readonly folder: string | null;
  readonly settings: Settings;
  /** The installation's secret, then the previous secret if it is configured. */
  readonly secrets: readonly [string, ...string[]];
  readonly health: ProcessHealth;
  readonly metrics: Metrics;
  readonly commands: AdminCommands;
  /** Until it is started, it signs only on demand. Null if this process signs no checkpoints. */
  readonly checkpointer: Checkpointer | null;
}

/**
 * Opens the engines, and starts one application with the modules of all roles.
 *
 * @param cleanup receives the steps that close everything
 * @throws CannotStart
 */
export async function assemble(roles: readonly Role[], parts: Parts, cleanup: CleanupStack): Promise<AssembledRoles> {
  const {
    config,
    logger,
    address,
    bootstrap,
    announce,
    now = systemTime,
    random = systemRandom,
    tracing = null,
    tls = null,
  } = parts;
  const clock = watchClock(now);
  cleanup.add(() => clock.stop());
  const onFault = parts.onFault ?? ((err: unknown) => logger.error({ err }, 'the storage engine failed'));
  const relays = roles.some(({ needs }) => needs.includes('relay'));
  const tellsOthers = roles.some(({ needs }) => needs.includes('public-events'));
  const {
    engines: opened,
    folder,
    relay,
    publicEvents,
    kafka,
  }: OpenedEngines = parts.engines === undefined
    ? orCannotStart(
        await openEngines(config, {
          now: () => clock.now(),
          steady: () => clock.steady(),
          random,
          onFault,
          relays,
          tellsOthers,
          tracing,
        }),
      )
    : { engines: parts.engines, folder: parts.folder ?? null, relay: null, publicEvents: null, kafka: null };
  if (parts.engines === undefined) cleanup.add(() => opened.close());
  if (parts.importing !== true) {
    const problem = await problemOfImport(opened.documents);
    if (problem !== null) throw new CannotStart(problem);
  }
  const metrics = new Metrics(() => clock.steady());
  cleanup.add(() => metrics.stop());
  const settings = settingsOf(config, address);
  const { documents } = opened;
  const usage = new StorageUsage({
    documents,
    logger,
    limits: settings.limits.storedBytes,
    steady: () => clock.steady(),
  });
  cleanup.add(() => usage.stop());
  metrics.watchUsage(documents, settings.limits.storedBytes);
  const counting = withCounts(opened, {
    appended: (outcome, commit) => {
      metrics.recordAppend(outcome);
      if (outcome === 'appended') usage.add(commit.org, 'events', bytesOfCommit(commit));
    },
    blobs: (org, bytes) => usage.add(org, 'attachments', bytes),
  });
  const system = config.storage.kind === 'scaled' ? 'mongodb' : 'sqlite';
  const engines = tracing === null ? counting : tracedEngines(counting, tracing, system);
  const secrets = openSecrets(config, folder, random);
  const keys = secrets.map(identityKey);
  const ids = idsOf(clock, random);
  const box = secretBox(secrets, random);
  const context = { ports: engines, clock, ids, settings, logger, secretBox: box };
  const identify = orCannotStart(identityGuard(roles, context, keys, config.reachedAt));
  const signers = [signerOf(secrets[0]), ...secrets.slice(1).map(signerOf)] as const;
  const checkpointer = checkpointerOf(roles, opened, signers, context);
  cleanup.add(() => checkpointer?.stop());
  const limiter = limiterOf(roles, context);
  cleanup.add(() => limiter?.stop());
  const revocations = revocationsOf(roles, context);
  cleanup.add(() => revocations?.stop());
  const forwarding = {
    services: servicesOf(roles, config),
    key: identityKey(secrets[0]),
    silenceMs: config.serviceSilenceMs,
    identity: tls === null ? null : () => tls.identity,
  };
  const health = new ProcessHealth(engines, logger, () => clock.steady());
  cleanup.add(() => health.stop());
  const answered = (request: Answered) => {
    metrics.recordAnswer(request);
    logAnswered(logger, request);
  };
  const handed = {
    ...context,
    health,
    bootstrap,
    announce,
    answered,
    onUnknownEvent: (error: Error) => health.noteUnknownEvent(error),
    forwarding,
    tracing,
    tls: tls?.api ?? null,
    signers,
    checkpointer,
    publicEvents,
  };
  const vouched = roles.every((role) => role.identify === undefined);
  const guards = { identify, vouched, limiter, revocations, usage };
  const { app, groups } = await startApplication(roles, handed, guards, cleanup);
  const queues = roles.flatMap((role) => role.queues ?? []);
  const due = queues
    .filter(({ isCaughtUp }) => isCaughtUp)
    .map(({ name, items }) => {
      return { group: name, isFollowing: true, lag: () => documents.collection(items).count({ due: true }) };
    });
  if (folder !== null) {
    const restorable = opened as RestorableEngines;
    await catchUp([...groups, ...due], restorable, logger, clock);
    await restorable.keepReserve?.();
  }
  health.watch(groups);
  metrics.watch(groups);
  metrics.watchQueues(engines.documents, queues);
  const { waiting } = opened as MeasuredEngines;
  if (waiting !== undefined) metrics.watchWrites(waiting);
  if (kafka !== null) metrics.watchKafka(() => kafka.reach());
  if (relay !== null) metrics.watchRelay(relay);
  if (checkpointer !== null) metrics.watchCheckpoints(checkpointer, () => clock.now());
  if (folder !== null) metrics.watchFolder(folder);
  if (relays && config.backupEverySeconds !== null) {
    metrics.watchBackups(documents, config.backupEverySeconds, () => clock.now());
  }
  if (tls !== null) metrics.watchCertificate(tls, () => clock.now());
  const counts = roles.flatMap((role) => role.counts ?? []);
  metrics.watchDocuments(engines.documents, counts, () => clock.now());
  const roleOperations = roles.flatMap((role) => role.operations ?? []).map((type) => app.get(type, { strict: false }));
  const sources = { now: () => clock.now(), random };
  // If the engines are servers, the command exports by itself: a process with some roles knows only the documents of
  // these roles.
  const exports =
    config.storage.kind === 'embedded' ? [exportOperation(opened, archivedCollectionsOf(roles), sources)] : [];
  const noteDone = (at: number) => noteBackup(documents, at);
  const { backup } = opened as BackedUp;
  const backups =
    backup === undefined || folder === null ? [] : [backupOperation(folder, backup, noteDone, sources.now)];
  const checkpoints = checkpointer === null ? [] : [checkpointOperation(checkpointer)];
  const ownOperations = [parkedOperation(groups), replayOperation(groups), ...exports, ...backups, ...checkpoints];
  const commands = new AdminCommands([...roleOperations, ...ownOperations], logger);
  cleanup.add(() => commands.stop());
  return { app, engines: opened, folder, settings, secrets, health, metrics, commands, checkpointer };
}

export function orCannotStart<Value>(result: Result<Value, string>): Value {
  if (!result.ok) throw new CannotStart(result.refusal);
  return result.value;
}
