import { mongo } from 'mongoose';
import { StoreMisconfigured, StoreUnavailable, tlsCodeOf } from '@assurance/storage-ports';

/** Codes of MongoDB's errors: UserNotFound, Unauthorized, AuthenticationFailed. */
const REFUSED = new Set<unknown>([11, 13, 18]);

/** Explains why the service cannot use MongoDB. It distinguishes a wrong setting from an unavailable server. */
export function whyUnavailable(cause: unknown): StoreUnavailable | StoreMisconfigured {
  if (cause instanceof mongo.MongoServerError && REFUSED.has(cause.code)) {
    return new StoreMisconfigured('MongoDB refuses the user: see MONGODB_URL.', { cause });
  }
  const code = serverFaults(cause)
    .map(tlsCodeOf)
    .find((reason) => reason !== null);
  if (code !== undefined) {
    return new StoreMisconfigured(
      `The TLS connection to MongoDB fails with ${code}: see tls, tlsCAFile and tlsCertificateKeyFile in MONGODB_URL.`,
      { cause },
    );
  }
  return new StoreUnavailable('MongoDB does not answer', { cause });
}

/** The fault of each server that was tried. */
function serverFaults(cause: unknown): (Error | null)[] {
  const { reason } = cause as { reason?: mongo.TopologyDescription };
  return [...(reason?.servers.values() ?? [])].map(({ error }) => error);
}

/** MongoDB's answer to `hello`: a member of a replica set names the set, a router of a sharded cluster says `isdbgrid`. */
export interface Hello {
  readonly setName?: string;
  readonly msg?: string;
  readonly isWritablePrimary?: boolean;
}

/** The faults of the server that answered, in a few words each. */
export function problemsOf({ setName, msg, isWritablePrimary }: Hello): string[] {
  if (setName === undefined && msg !== 'isdbgrid') return ['MongoDB is not a replica set'];
  return isWritablePrimary === true ? [] : ['MongoDB has no primary'];
}
