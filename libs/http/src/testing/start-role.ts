import { randomBytes } from 'node:crypto';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { signerOf } from '@assurance/event-sourcing/checkpoints/keys';
import {
  CHECKPOINTER,
  CLOCK,
  HEALTH,
  IDS,
  LOGGER,
  PORTS,
  type Ports,
  SETTINGS,
  type Settings,
  SIGNERS,
} from '@assurance/event-sourcing/tokens';
import { NO_PROXIES, uuidv7 } from '@assurance/kernel';
import { ANNOUNCE, BOOTSTRAP, type Bootstrap } from '../bootstrap';
import { FORWARDING } from '../forwarding';
import type { Role } from '../role';
import { SECRET_BOX, secretBox } from '../secret-box';
import { DEFAULT_LIMITS } from './default-limits';

/** A role without HTTP and without a consumer of the feed: a spec gives commands or queries to its handlers. */
export interface RoleUnderTest {
  readonly commands: CommandBus;
  readonly queries: QueryBus;
  close(): Promise<void>;
}

/** The options of a spec. */
export interface RoleOptions {
  readonly bootstrap?: Bootstrap;
  readonly settings?: Partial<Settings>;
  /** Called with each warning of the role. */
  readonly onWarning?: (fields: object, message: string) => void;
}

const SECRET = 'the secret of an installation in specs';
const SETTINGS_OF_SPECS: Settings = {
  publicUrl: 'http://assurance.test',
  region: null,
  limits: DEFAULT_LIMITS,
  notifying: { targetNetworks: [], smtp: null, slack: { apiUrl: 'http://slack.test', token: null }, keepDays: 90 },
  proxies: NO_PROXIES,
  trustedProxies: [],
  pagesFolder: null,
  assistantsWrite: false,
  sessions: { idleMs: 3_600_000, longestMs: 3_600_000 },
  openIdConnect: null,
  organizations: { by: 'users', perUser: 2 },
  vulnerabilitySources: { urls: [], organizations: [], everyMs: 86_400_000 },
};

@Module({})
class SpecModule {}

/**
 * For specs of handlers: starts the module of one role on open engines, with the providers that `runtime` gives to every role.
 *
 * @param engines the caller closes them, after the role
 */
export async function startRole(role: Role, engines: Ports, options: RoleOptions = {}): Promise<RoleUnderTest> {
  const random = (bytes: number) => new Uint8Array(randomBytes(bytes));
  const log = () => undefined;
  const providers = [
    { provide: PORTS, useValue: engines },
    { provide: CLOCK, useValue: { now: Date.now, steady: () => performance.now(), earliest: Date.now } },
    { provide: IDS, useValue: { next: () => uuidv7(Date.now(), random(10)), random } },
    { provide: SETTINGS, useValue: { ...SETTINGS_OF_SPECS, ...options.settings } },
    { provide: LOGGER, useValue: { debug: log, info: log, warn: options.onWarning ?? log, error: log } },
    { provide: HEALTH, useValue: { problems: () => [] } },
    { provide: BOOTSTRAP, useValue: options.bootstrap ?? { kind: 'file', users: [], organizations: [] } },
    { provide: ANNOUNCE, useValue: log },
    { provide: FORWARDING, useValue: { services: new Map(), key: random(32), silenceMs: 1_000, identity: null } },
    { provide: SECRET_BOX, useValue: secretBox([SECRET], random) },
    { provide: SIGNERS, useValue: [signerOf(SECRET)] },
    { provide: CHECKPOINTER, useValue: null },
  ];
  const module: DynamicModule = {
    module: SpecModule,
    global: true,
    imports: [role.module],
    providers,
    exports: providers.map(({ provide }) => provide),
  };
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  return { commands: app.get(CommandBus), queries: app.get(QueryBus), close: () => app.close() };
}
