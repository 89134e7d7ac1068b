import type { Logger } from '@assurance/event-sourcing/tokens';
import type { Blobs } from '@assurance/storage-ports';
import type { AnsweredRequest } from './answered-request';
import type { AuthenticationDependencies } from './authenticate';
import type { ReadCallDependencies } from './read-call';

/** The dependencies of the pipeline. `identify` is the only guard of the process. */
export interface PipelineOptions extends AuthenticationDependencies, ReadCallDependencies {
  /** Whether it believes gateways, which seal bodies. */
  readonly vouched?: boolean;
  readonly logger: Logger;
  /** Where attachments go; a process without a route that takes them needs none. */
  readonly blobs?: Pick<Blobs, 'put' | 'withdraw'>;
  /** Told of each request that got its answer. */
  readonly answered?: (answered: AnsweredRequest) => void;
  /** Whether browsers shall come by https alone: the service is reached by https. */
  readonly secure?: boolean;
  /** As of `httpAdapter`. */
  readonly trustedProxies?: readonly string[];
  /** Whether routes with many requests are served without Fastify, whose hooks then do not see them; true unless given. */
  readonly direct?: boolean;
}
