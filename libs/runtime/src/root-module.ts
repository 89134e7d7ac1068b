import { type DynamicModule, Module } from '@nestjs/common';
import {
  CHECKPOINTER,
  CLOCK,
  HEALTH,
  type Health,
  IDS,
  LOGGER,
  PORTS,
  PUBLIC_EVENTS,
  SETTINGS,
  type Signers,
  SIGNERS,
  type SignsCheckpoints,
} from '@assurance/event-sourcing/tokens';
import {
  ANNOUNCE,
  type Announce,
  BOOTSTRAP,
  type Bootstrap,
  FORWARDING,
  type ForwardingTargets,
  type IdentifyContext,
  type Role,
  SECRET_BOX,
} from '@assurance/http';
import type { PublicEvents } from '@assurance/storage-ports';

/** The values that roles can inject, each by its token. */
export interface RootValues extends IdentifyContext {
  readonly health: Health;
  readonly bootstrap: Bootstrap;
  readonly announce: Announce;
  readonly forwarding: ForwardingTargets;
  readonly signers: Signers;
  readonly checkpointer: SignsCheckpoints | null;
  /** Null if no topic for public events is configured, or if no role here writes to it. */
  readonly publicEvents: PublicEvents | null;
}

@Module({})
class RootValuesModule {}

@Module({})
class RootModule {}

/** The root module. It imports the modules of all roles and provides the shared values to them. */
export function rootModule(roles: readonly Role[], handed: RootValues): DynamicModule {
  const providers = [
    { provide: PORTS, useValue: handed.ports },
    { provide: CLOCK, useValue: handed.clock },
    { provide: IDS, useValue: handed.ids },
    { provide: SETTINGS, useValue: handed.settings },
    { provide: LOGGER, useValue: handed.logger },
    { provide: HEALTH, useValue: handed.health },
    { provide: BOOTSTRAP, useValue: handed.bootstrap },
    { provide: ANNOUNCE, useValue: handed.announce },
    { provide: FORWARDING, useValue: handed.forwarding },
    { provide: SECRET_BOX, useValue: handed.secretBox },
    { provide: SIGNERS, useValue: handed.signers },
    { provide: CHECKPOINTER, useValue: handed.checkpointer },
    { provide: PUBLIC_EVENTS, useValue: handed.publicEvents },
  ];
  const shared: DynamicModule = {
    module: RootValuesModule,
    global: true,
    providers,
    exports: providers.map(({ provide }) => provide),
  };
  return { module: RootModule, imports: [shared, ...roles.map(({ module }) => module)] };
}
