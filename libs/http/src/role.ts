import type { ArchivedCollection } from '@assurance/event-sourcing/archive/archived-collection';
import type { ConsumerGroup } from '@assurance/event-sourcing/feed/delivery';
import type { Operation } from '@assurance/event-sourcing/operation';
import type { Clock, Ids, Logger, Settings } from '@assurance/event-sourcing/tokens';
import type { CollectionDefinition, Document, Engines, Query } from '@assurance/storage-ports';
import type { DynamicModule, Type } from '@nestjs/common';
import type { Identify } from './identify';
import type { RateLimiter } from './rate';
import type { RevocationWatch } from './revocation';
import type { SecretBox } from './secret-box';
import type { Shortcut } from './shortcut';

/**
 * A port that a role uses. `relay`: one process with this role copies commits to the feed, if the feed does not read the
 * store itself. `public-events`: the role publishes events for other systems, if a topic is configured.
 */
export type RequiredPort = 'events' | 'feed' | 'documents' | 'blobs' | 'relay' | 'public-events';

/** The dependencies of a guard and of a rate limiter. */
export interface IdentifyContext {
  readonly ports: Engines;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly secretBox: SecretBox;
}

/** The work items of one queue, and its name in the figures. */
export interface Queue {
  readonly name: string;
  /** Has an index on `due`. */
  readonly items: CollectionDefinition<Document>;
  /** Whether a process that starts waits a moment for this queue, as for its consumers. */
  readonly isCaughtUp?: true;
}

/** How many documents of a kind there are, as a figure for operators. */
export interface CountedDocuments {
  /** The name of the metric, and its help text. */
  readonly name: string;
  readonly help: string;
  readonly collection: CollectionDefinition<Document>;
  /** The condition, which an index covers. @param now integer milliseconds */
  readonly where: (now: number) => Query['where'];
}

/** A service as data. `serve` runs it, alone or with others. */
export interface Role {
  readonly name: 'gateway' | 'ingestion' | 'projection' | 'notification-dispatcher' | 'audit-package';
  readonly module: Type<unknown> | DynamicModule;
  readonly needs: readonly RequiredPort[];
  readonly consumes?: readonly ConsumerGroup[];
  /** Its admin operations: injectables of its module. */
  readonly operations?: readonly Type<Operation>[];
  /** Its documents that cannot be rebuilt from commits. An export contains them. */
  readonly archived?: readonly ArchivedCollection[];
  /** Its work queues: shown in the figures. */
  readonly queues?: readonly Queue[];
  /** The documents that metrics count. */
  readonly counts?: readonly CountedDocuments[];
  /** Injectables of its module that answer without parsing the body. */
  readonly shortcuts?: readonly Type<Shortcut>[];
  /** The guard that this role brings; `serve` installs exactly one. */
  readonly identify?: (context: IdentifyContext) => Identify;
  /** Counts the requests of callers that this guard accepts. */
  readonly limit?: (context: IdentifyContext) => RateLimiter;
  /** Ends running requests of callers whom this guard would now refuse. */
  readonly revocations?: (context: IdentifyContext) => RevocationWatch;
}
