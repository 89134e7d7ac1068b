import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditPackage } from '@assurance/audit-package-role';
import { gateway } from '@assurance/gateway-role';
import { ingestion } from '@assurance/ingestion-role';
import { notificationDispatcher } from '@assurance/notification-role';
import { projection } from '@assurance/projection-role';
import { type Overrides, serve } from '@assurance/runtime';
import { openEmbedded } from '@assurance/storage-sqlite';
import { freshKafka, freshMongodb } from '@assurance/testing-engines';
import { loosen, type Step } from '@assurance/testing-loose';
import { BOOTSTRAP } from './declared';
import { startApart, startPairs } from './apart';
import { Operator } from './operator';

/** A service that runs, reachable at `url`. */
export interface Running {
  readonly url: string;
  /** Of every gateway, where there are several: requests go to each in turn. */
  readonly urls?: readonly string[];
  readonly operator: Operator;
  /** What it logged of errors so far: faults that no test provoked. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

/** A way to run the service. */
export interface Shape {
  readonly name: string;
  /**
   * @param settings environment variables beside those that the shape sets itself
   * @param now what its clock shows
   */
  start(settings?: Readonly<Record<string, string>>, now?: () => number): Promise<Running>;
}

const ON_SERVERS = process.env.ASSURANCE_TEST_SHAPE === 'scaled';

/** How often a spec repeats what it does: less often where each time passes through several processes and servers. */
export const times = (many: number): number => (ON_SERVERS ? Math.ceil(many / 10) : many);

/** All roles in one process. On MongoDB and Kafka where Jest's project `scaled` runs, which starts them. */
export const together: readonly [Shape, ...Shape[]] = ON_SERVERS
  ? [{ name: 'scaled', start: (settings, now) => inOneProcess({ ...servers(), ...settings }, undefined, now) }]
  : [
      { name: 'embedded', start: (settings, now) => inOneProcess(settings, undefined, now) },
      { name: 'loose', start: (settings, now) => startLoose(settings, undefined, now) },
    ];

/** Every way to run the service: each scenario runs on all of them. Where services are apart, requests go to their gateways in turn. */
export const shapes: readonly Shape[] = ON_SERVERS
  ? [{ name: 'pairs', start: (settings, now) => startPairs(servers(), settings, now) }]
  : [...together, { name: 'apart', start: (settings, now) => startApart(settings, now) }];

/** Settings that name the MongoDB and the Kafka of this run, with names that nobody has yet. */
export function servers(): Record<string, string> {
  const { url, database } = freshMongodb();
  const { brokers, prefix } = freshKafka();
  const mongodb = new URL(url);
  mongodb.pathname = `/${database}`;
  return {
    MONGODB_URL: mongodb.href,
    KAFKA_BROKERS: brokers.join(','),
    ASSURANCE_KAFKA_PREFIX: `${prefix}.`,
    ASSURANCE_SECRET: randomBytes(32).toString('hex'),
  };
}

type Engines = NonNullable<Overrides['engines']>;

/**
 * The embedded engine, loosened.
 *
 * @param onStep called before and after every step of the storage; what it throws comes out of that step
 */
export function startLoose(
  settings?: Readonly<Record<string, string>>,
  onStep?: (step: Step) => void | Promise<void>,
  now: () => number = () => Date.now(),
): Promise<Running> {
  const open = async (folder: string, faults: string[]) => {
    const engines = await openEmbedded({
      folder,
      now,
      random: (bytes) => randomBytes(bytes),
      onFault: (fault) => faults.push(String(fault)),
    });
    return loosen(engines, { random: seeded(7), onStep });
  };
  return inOneProcess(settings, open, now);
}

/** All roles in one process, at a time that the test chooses. */
export function startAtTime(now: () => number): Promise<Running> {
  const [{ start }] = together;
  return start({}, now);
}

/** All roles in this process, on a data folder of their own. */
async function inOneProcess(
  settings: Readonly<Record<string, string>> = {},
  open?: (folder: string, faults: string[]) => Promise<Engines>,
  now?: Overrides['now'],
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-e2e-'));
  const bootstrap = join(folder, 'bootstrap.yaml');
  writeFileSync(bootstrap, BOOTSTRAP);
  const faults: string[] = [];
  const engines = await open?.(folder, faults);
  const served = await serve([gateway, ingestion, projection, notificationDispatcher, auditPackage], {
    env: {
      ASSURANCE_PORT: '0',
      ASSURANCE_DATA_DIR: join(folder, 'data'),
      ASSURANCE_BOOTSTRAP_FILE: bootstrap,
      ASSURANCE_LOG_LEVEL: 'error',
      ...settings,
    },
    engines,
    now,
    log: { write: (line) => faults.push(line) },
    onFault: (fault) => faults.push(String(fault)),
  });
  return {
    url: served.url,
    operator: new Operator(served.operations),
    faults,
    stop: async () => {
      await served.close();
      await engines?.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Numbers from 0 to below 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
