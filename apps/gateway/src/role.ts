import { keyUses } from '@assurance/access/domain/keys';
import { guard } from '@assurance/access/gateway/guard';
import { usedAttempts } from '@assurance/access/gateway/openid/attempt';
import { OpenIdController } from '@assurance/access/gateway/openid/openid.controller';
import { Revocations } from '@assurance/access/gateway/revocations';
import { sessionEnds } from '@assurance/access/gateway/session/session-ends';
import { SessionController } from '@assurance/access/gateway/session/session.controller';
import { Sessions } from '@assurance/access/gateway/session/sessions';
import type { Role } from '@assurance/http';
import { DocController } from '@assurance/http/gateway/doc/doc.controller';
import { ForwardRoutes } from '@assurance/http/gateway/forward/forward-routes';
import { McpController } from '@assurance/http/gateway/mcp/mcp.controller';
import { MetaController } from '@assurance/http/gateway/meta.controller';
import { InternalRequests } from '@assurance/http/gateway/own-requests';
import { PagesController } from '@assurance/http/gateway/pages/pages.controller';
import { Rates } from '@assurance/http/gateway/rates/rates';
import { ChangesController } from '@assurance/notifications/gateway/changes.controller';
import { Followers } from '@assurance/notifications/gateway/followers';
import { Module } from '@nestjs/common';

@Module({
  controllers: [
    MetaController,
    DocController,
    SessionController,
    OpenIdController,
    McpController,
    ChangesController,
    PagesController,
  ],
  providers: [Followers, ForwardRoutes, InternalRequests],
})
class GatewayModule {}

/**
 * The gateway identifies callers, checks their rights, limits their rates, and forwards requests to other processes. It sets the guard that checks
 * API keys.
 */
export const gateway: Role = {
  name: 'gateway',
  module: GatewayModule,
  needs: ['documents'],
  archived: [
    { collection: keyUses, ownerOf: () => null, secret: false },
    { collection: sessionEnds, ownerOf: () => null, secret: false },
    { collection: usedAttempts, ownerOf: () => null, secret: false },
  ],
  identify: guard,
  limit: ({ ports, clock, ids, settings, logger }) =>
    new Rates({
      limits: settings.limits.perMinute,
      documents: ports.documents,
      clock,
      logger,
      gateway: ids.next(),
    }),
  revocations: ({ ports, clock, logger, settings, secretBox }) => {
    const sessions = new Sessions(secretBox, settings, clock);
    return new Revocations(ports.documents, clock, logger, (session) => sessions.endsOf(session).latest);
  },
};
