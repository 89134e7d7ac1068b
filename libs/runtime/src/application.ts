import { setTimeout } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import { connectFeed, type FeedStrategy } from '@assurance/event-sourcing/feed/feed-strategy';
import {
  type Answered,
  httpAdapter,
  installPipeline,
  type PipelineOptions,
  type Role,
  type ServerTls,
} from '@assurance/http';
import type { Logger } from 'pino';
import { nestLog } from './nest-log';
import { type RootValues, rootModule } from './root-module';
import { traceRequests } from './tracing/trace-requests';
import type { Tracing } from './tracing/tracing';
import type { CleanupStack } from './cleanup-stack';

/**
 * Starts one application with the modules of all roles. It installs the pipeline, starts every module, and connects the
 * consumers of each role to the feed.
 *
 * @param cleanup receives the steps that stop it
 * @returns the application, and its consumers of the feed
 */
export async function startApplication(
  roles: readonly Role[],
  rootValues: RootValues & {
    readonly logger: Logger;
    readonly answered: (answered: Answered) => void;
    readonly onUnknownEvent: (error: Error) => void;
    readonly tracing: Tracing | null;
    /** How the API listens; null: plain HTTP. */
    readonly tls: ServerTls | null;
  },
  guards: Pick<PipelineOptions, 'identify' | 'vouched' | 'limiter' | 'revocations' | 'usage'>,
  cleanup: CleanupStack,
) {
  const { settings, ids, logger, ports, clock } = rootValues;
  const app = await NestFactory.create<NestFastifyApplication>(
    rootModule(roles, rootValues),
    httpAdapter(settings.limits, settings.trustedProxies, rootValues.tls),
    // Without `abortOnError: false` Nest would exit without an error message.
    { logger: nestLog(logger), bodyParser: false, abortOnError: false },
  );
  cleanup.add(() => app.close());
  if (rootValues.tracing !== null) traceRequests(app.getHttpAdapter().getInstance(), rootValues.tracing);
  const shortcuts = roles.flatMap((role) => role.shortcuts ?? []).map((type) => app.get(type, { strict: false }));
  const { limits } = settings;
  await installPipeline(app, {
    ...guards,
    ids,
    limits,
    logger,
    answered: rootValues.answered,
    onUnknownEvent: rootValues.onUnknownEvent,
    shortcuts,
    blobs: ports.blobs,
    trustedProxies: settings.trustedProxies,
    secure: isSecure(settings.publicUrl),
    // With tracing, requests must pass the hooks of Fastify, because a trace begins there.
    direct: rootValues.tracing === null,
  });
  const groups: FeedStrategy[] = [];
  for (const consumes of roles.flatMap((role) => role.consumes ?? [])) {
    if (consumes.onlyWith === 'public-events' && rootValues.publicEvents === null) continue;
    const strategy = connectFeed(app, { consumes, ports, clock, logger, sleep: (ms) => setTimeout(ms) });
    cleanup.add(() => strategy.close());
    groups.push(strategy);
  }
  await app.init();
  await app.startAllMicroservices();
  return { app, groups };
}

/** Whether answers tell browsers to use only https. Not on `localhost`, because other services share that name. */
function isSecure(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' && hostname !== 'localhost';
}
