import { keyUses } from '@assurance/model-access';
import { Module } from '@nestjs/common';
import type { Role } from '@assurance/http';
import { DocController } from './doc/doc.controller';
import { ForwardRoutes } from './forward/forward-routes';
import { identifyByKey } from './identify-by-key';
import { KeyUses } from './key-uses';
import { WrongKeys } from './wrong-keys';
import { MetaController } from './meta.controller';
import { Rates } from './rates/rates';

@Module({ controllers: [MetaController, DocController], providers: [ForwardRoutes] })
class GatewayModule {}

/** The door: who calls, may they, how often; it hands on what other processes answer. It brings the guard that knows API keys. */
export const gateway: Role = {
  name: 'gateway',
  module: GatewayModule,
  needs: ['documents'],
  keeps: [{ collection: keyUses, whose: () => null, secret: false }],
  identify: ({ ports, clock, logger, settings }) => {
    const uses = new KeyUses(ports.documents, logger);
    const wrongKeys = new WrongKeys(settings.limits.wrongKeysPerMinute, clock, logger);
    return identifyByKey(ports.documents, clock, wrongKeys, (key) => uses.note(key, clock.now()));
  },
  limit: ({ ports, clock, ids, settings, logger }) =>
    new Rates({
      limits: settings.limits.perMinute,
      documents: ports.documents,
      clock,
      logger,
      gateway: ids.next(),
    }),
};
