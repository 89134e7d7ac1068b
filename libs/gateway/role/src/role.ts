import { keyUses } from '@assurance/model';
import { Module } from '@nestjs/common';
import type { Role } from '@assurance/http';
import { DocController } from './doc/doc.controller';
import { ForwardRoutes } from './forward/forward-routes';
import { guard } from './guard';
import { ChangesController } from './live/changes.controller';
import { Followers } from './live/followers';
import { McpController } from './mcp/mcp.controller';
import { MetaController } from './meta.controller';
import { usedAttempts } from './openid/attempt';
import { OpenIdController } from './openid/openid.controller';
import { OwnRequests } from './own-requests';
import { PagesController } from './pages/pages.controller';
import { Rates } from './rates/rates';
import { Revocations } from './revocations';
import { sessionEnds } from './session/session-ends';
import { SessionController } from './session/session.controller';
import { Sessions } from './session/sessions';

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
  providers: [Followers, ForwardRoutes, OwnRequests],
})
class GatewayModule {}

/** The gateway: who calls, may they, how often; it hands on what other processes answer. It brings the guard that knows API keys. */
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
