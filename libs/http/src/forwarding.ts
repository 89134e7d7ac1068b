import type { KeyObject } from 'node:crypto';
import type { Role } from './role';
import type { TlsIdentity } from './tls';

/** How the gateway reaches the roles of other processes: `@Inject(FORWARDING) forwarding: Forwarding`. */
export const FORWARDING = Symbol('forwarding');

export interface ForwardingTargets {
  /** Origins (`http://host:port`) of the instances of each role that owns routes and is not in this process. */
  readonly services: ReadonlyMap<Role['name'], readonly string[]>;
  /** Signs the identity of callers. */
  readonly key: KeyObject;
  /** How long a service may keep silent, in milliseconds. */
  readonly silenceMs: number;
  /** TLS of connections to services; read for each connection, because it may change. Null: the defaults of Node. */
  readonly identity: (() => TlsIdentity) | null;
}
