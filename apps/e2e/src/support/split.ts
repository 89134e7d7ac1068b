import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditPackage } from '@assurance/audit-package/role';
import { gateway } from '@assurance/gateway/role';
import { ingestion } from '@assurance/ingestion/role';
import { notificationDispatcher } from '@assurance/notification-dispatcher/role';
import { projection } from '@assurance/projection/role';
import { LAME_DUCK_MS, type Overrides, serve, type Served } from '@assurance/runtime';
import type { Engines } from '@assurance/storage-ports';
import { openEmbedded } from '@assurance/storage-sqlite';
import { loosen } from '@assurance/testing/loose/loosen';
import { BOOTSTRAP } from './declared';
import { Operator } from './operator';
import type { RunningService } from './running';

type Role = Parameters<typeof serve>[0][number];
type Env = Readonly<Record<string, string>>;

/** Services that know only the addresses of each other. */
export interface SplitServices extends RunningService {
  readonly gateways: readonly Served[];
  readonly ingestion: readonly Served[];
  readonly projection: readonly Served[];
  /** Starts a further gateway, which ends with the others. */
  addGateway(settings: Env): Promise<Served>;
}

/** The secret of all split services of a test. */
export const SECRET = 'the one secret of all split services';

/** Two gateways, ingestion and projection as applications of their own, on one embedded engine. */
export function startSplit(settings?: Env, now?: () => number): Promise<SplitServices> {
  return startOnOne({ gateways: 2, ingestions: 1, others: 1 }, settings, now);
}

/**
 * The same with two ingestions, which work on the engine as a loose one.
 *
 * @param onStep called before and after every step of the storage that one of the two takes; what it throws comes out of that step
 */
export function startTwoIngestions(onStep: () => Promise<void>, now: () => number): Promise<SplitServices> {
  const own = (engines: Engines) => loosen(engines, { random: () => 0.4, onStep });
  return startOnOne({ gateways: 2, ingestions: 2, others: 1 }, {}, now, own);
}

async function startOnOne(
  copies: Copies,
  settings?: Env,
  now: () => number = () => Date.now(),
  own: (engines: Engines) => Engines = (engines) => engines,
): Promise<SplitServices> {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-engine-'));
  const faults: string[] = [];
  const onFault = (fault: unknown) => void faults.push(String(fault));
  const engines = await openEmbedded({ folder, now, random: (bytes) => randomBytes(bytes), onFault });
  const split = await startServices(copies, settings, { engines, now, onFault }, faults, { engines: own(engines) });
  return {
    ...split,
    stop: async () => {
      await split.stop();
      await engines.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Two of every service, each with connections of its own to the engines that the settings name.
 *
 * @param servers settings that name MongoDB and Kafka
 * @param paired see `Copies`
 */
export function startReplicated(
  servers: Env,
  settings?: Env,
  now?: () => number,
  paired = false,
): Promise<SplitServices> {
  const faults: string[] = [];
  const onFault = (fault: unknown) => void faults.push(String(fault));
  return startServices(
    { gateways: 2, ingestions: 2, others: 2, paired },
    { ...servers, ...settings },
    { now, onFault },
    faults,
  );
}

/** How many of each service. */
interface Copies {
  readonly gateways: number;
  readonly ingestions: number;
  readonly others: number;
  /**
   * Each gateway knows one ingestion, not all. Commands for one environment then meet in different processes when callers alternate between
   * gateways, as they do in an installation while an ingestion is passed over.
   */
  readonly paired?: boolean;
}

/** @param own what ingestion has otherwise */
async function startServices(
  copies: Copies,
  settings: Env = {},
  overrides: Overrides,
  faults: string[],
  own: Overrides = {},
): Promise<SplitServices> {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-split-'));
  const bootstrap = join(folder, 'bootstrap.yaml');
  writeFileSync(bootstrap, BOOTSTRAP);
  const start = async (role: Role, count: number, more: Env = {}) => {
    const env = {
      ASSURANCE_PORT: '0',
      ASSURANCE_BOOTSTRAP_FILE: bootstrap,
      ASSURANCE_LOG_LEVEL: 'error',
      ASSURANCE_PUBLIC_URL: 'http://localhost:1',
      ...settings,
      ASSURANCE_SECRET: SECRET,
      ...more,
    };
    const only = role === ingestion ? own : {};
    // Callers of a gateway have all answers when it ends: only the gateways call the others until then.
    const lameDuckMs = role === gateway ? 0 : LAME_DUCK_MS;
    const log = { write: (line: string) => faults.push(line) };
    const startOne = () => serve([role], { ...overrides, ...only, lameDuckMs, env, log });
    // One instance declares the bootstrap file and begins the views: two that race for it need a quarter more CPU time. Drills start both at once.
    const first = copies.paired === true ? [await startOne()] : [];
    return [...first, ...(await Promise.all(Array.from({ length: count - first.length }, startOne)))];
  };
  const [commands = [], queries = [], dispatchers = [], packages = []] = await Promise.all(
    [ingestion, projection, notificationDispatcher, auditPackage].map((role) =>
      start(role, role === ingestion ? copies.ingestions : copies.others),
    ),
  );
  const services = {
    ASSURANCE_INGESTION_URL: urlsOf(commands),
    ASSURANCE_PROJECTION_URL: urlsOf(queries),
    ASSURANCE_AUDIT_PACKAGE_URL: urlsOf(packages),
  };
  const commandsOf = (i: number) => (copies.paired === true ? commands.slice(i, i + 1) : commands);
  const gateways = (
    await Promise.all(
      Array.from({ length: copies.gateways }, (_, i) =>
        start(gateway, 1, { ...services, ASSURANCE_INGESTION_URL: urlsOf(commandsOf(i)) }),
      ),
    )
  ).flat();
  const allGateways = [...gateways];
  return {
    url: gateways[0]?.url ?? '',
    urls: gateways.map(({ url }) => url),
    operator: new Operator(
      ...[...gateways, ...queries, ...commands, ...dispatchers, ...packages].map(({ operations }) => operations),
    ),
    gateways,
    ingestion: commands,
    projection: queries,
    faults,
    addGateway: async (more) => {
      const [added] = await start(gateway, 1, { ...services, ...more });
      allGateways.push(added as Served);
      return added as Served;
    },
    stop: async () => {
      // Stops gateways first, so that nothing calls the other services.
      const close = (services: readonly Served[]) => Promise.all(services.map((served) => served.close()));
      await close(allGateways);
      await close([...commands, ...queries, ...dispatchers, ...packages]);
      rmSync(folder, { recursive: true });
    },
  };
}

function urlsOf(services: readonly Served[]): string {
  return services.map(({ url }) => url).join(',');
}
