import type { UnknownEvent } from '@assurance/contracts/events/codec';
import type { Logger } from '@assurance/event-sourcing/tokens';
import type { Blobs } from '@assurance/storage-ports';
import type { AnsweredRequest } from './answered-request';
import type { AuthenticationDependencies } from './authenticate';
import type { ReadCallDependencies } from './read-call';

/** The dependencies of the pipeline. `identify` is the only guard of the process. */
export interface PipelineOptions extends AuthenticationDependencies, ReadCallDependencies {
  /** Whether all requests come from gateways, which seal bodies. */
  readonly vouched?: boolean;
  readonly logger: Logger;
  /** The store of attachments; a process without a route for attachments needs none. */
  readonly blobs?: Pick<Blobs, 'put' | 'withdraw'>;
  /** Called for each request that got its answer. */
  readonly answered?: (answered: AnsweredRequest) => void;
  /** Called when a request met an event of a newer version of the service; the request is answered 503. */
  readonly onUnknownEvent?: (error: UnknownEvent) => void;
  /** Whether browsers are told to use only https, because the service is reached by https. */
  readonly secure?: boolean;
  /** As for `httpAdapter`. */
  readonly trustedProxies?: readonly string[];
  /** Whether routes with many requests are served without Fastify, so that its hooks do not see them; true unless given. */
  readonly direct?: boolean;
}
