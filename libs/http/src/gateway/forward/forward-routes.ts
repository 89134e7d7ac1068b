import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Agent, buildConnector } from 'undici';
import { provedSignIn } from '@assurance/contracts/access/proved-sign-in';
import { requestLimit } from '@assurance/contracts/http/body-limits';
import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import { CLOCK, type Clock, type Logger, LOGGER, type Settings, SETTINGS } from '@assurance/event-sourcing/tokens';
import { FORWARDING, type ForwardingTargets } from '../../forwarding';
import { nestPath } from '../../route.decorator';
import { Addresses } from './addresses';
import { forward, type Forwarder } from './forward';
import { Instances } from './instances';

/** How long making a connection may take (milliseconds). */
const CONNECT_MS = 1_000;

/** How long an unused connection is kept (milliseconds). A stopping service still listens for a longer time. */
const KEEP_ALIVE_MS = 1_000;

/** The role with cached environments: the reports of an environment go to the same instance. */
const COMMANDS = 'ingestion';

/** Installs a forwarder for every route of a role in another process. The same checks run before it as before local routes. */
@Injectable()
export class ForwardRoutes implements OnModuleInit, OnApplicationShutdown {
  /** Null if nothing is forwarded. */
  private agent: Agent | null = null;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(FORWARDING) private readonly forwardingTargets: ForwardingTargets,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.forwardingTargets.services.size === 0) return;
    // Loaded here only: a process with all services forwards nothing and does not need the client in memory.
    const { Agent, buildConnector } = await import('undici');
    const agent = new Agent({
      connect: connecting(buildConnector, this.forwardingTargets.identity),
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
    this.agent = agent;
    const steady = () => this.clock.steady();
    const services = [...this.forwardingTargets.services].map(([role, origins]) => ({
      role,
      addresses: new Addresses(origins, steady),
    }));
    await Promise.all(services.map(({ addresses }) => addresses.refresh()));
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    void fastify.register((scope, _options, done) => {
      // Nothing in this scope reads bodies: they are forwarded unchanged.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, body, parsed) => parsed(null, body));
      for (const { role, addresses } of services) this.forwardRole(scope, agent, role, addresses);
      done();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent?.destroy();
  }

  private forwardRole(scope: FastifyInstance, agent: Agent, role: string, addresses: Addresses): void {
    const commonFields: Omit<Forwarder, 'bodyBytes'> = {
      agent,
      instances: new Instances(
        () => addresses.instances(),
        () => this.clock.steady(),
      ),
      keyOf: role === COMMANDS ? environmentOf : () => null,
      logger: this.logger,
      silenceMs: this.forwardingTargets.silenceMs,
      key: this.forwardingTargets.key,
      clock: this.clock,
    };
    for (const route of [...Object.values<Route>(routes), provedSignIn].filter(({ owner }) => owner === role)) {
      const forwarder: Forwarder = { ...commonFields, bodyBytes: requestLimit(route, this.settings.limits) };
      scope.route({
        method: route.method,
        url: nestPath(route.path),
        config: { contract: route, forwarded: true } as object,
        handler: (request, reply) => forward(forwarder, request, reply),
      });
    }
  }
}

/** Connects with the TLS identity that is valid now. */
function connecting(build: typeof buildConnector, identity: ForwardingTargets['identity']): buildConnector.connector {
  if (identity === null) return build({ timeout: CONNECT_MS });
  let current = identity();
  let connect = build({ timeout: CONNECT_MS, ...current });
  return (options, callback) => {
    const now = identity();
    if (now !== current) {
      current = now;
      connect = build({ timeout: CONNECT_MS, ...now });
    }
    connect(options, callback);
  };
}

/** The organization and the environment in the path of a request; null if the path has no environment. */
function environmentOf({ params }: FastifyRequest): string | null {
  const { org, env } = params as { readonly org?: string; readonly env?: string };
  return org === undefined || env === undefined ? null : `${org}/${env}`;
}
