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
export function rootModule(roles: readonly Role[], rootValues: RootValues): DynamicModule {
  const providers = [
    { provide: PORTS, useValue: rootValues.ports },
    { provide: CLOCK, useValue: rootValues.clock },
    { provide: IDS, useValue: rootValues.ids },
    { provide: SETTINGS, useValue: rootValues.settings },
    { provide: LOGGER, useValue: rootValues.logger },
    { provide: HEALTH, useValue: rootValues.health },
    { provide: BOOTSTRAP, useValue: rootValues.bootstrap },
    { provide: ANNOUNCE, useValue: rootValues.announce },
    { provide: FORWARDING, useValue: rootValues.forwarding },
    { provide: SECRET_BOX, useValue: rootValues.secretBox },
    { provide: SIGNERS, useValue: rootValues.signers },
    { provide: CHECKPOINTER, useValue: rootValues.checkpointer },
    { provide: PUBLIC_EVENTS, useValue: rootValues.publicEvents },
  ];
  const sharedModule: DynamicModule = {
    module: RootValuesModule,
    global: true,
    providers,
    exports: providers.map(({ provide }) => provide),
  };
  return { module: RootModule, imports: [sharedModule, ...roles.map(({ module }) => module)] };
}
