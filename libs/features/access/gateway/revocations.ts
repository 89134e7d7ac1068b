import { streams } from '@assurance/contracts/events/streams';
import { may } from '@assurance/contracts/http/roles';
import type { Clock, Logger } from '@assurance/event-sourcing/tokens';
import type { Identity, RevocationWatch, Session } from '@assurance/http';
import { type Documents, getAll } from '@assurance/storage-ports';
import { apiKeys } from '../domain/keys';
import { membership } from '../domain/membership';
import { serviceAccount } from '../domain/service-account';
import { user } from '../domain/user';
import { sessionEnds } from './session/session-ends';

/** How often the rights of open connections are checked (milliseconds). Together with `CACHED_MS`, it is less than the promised second. */
const LOOK_MS = 400;
/** Requests younger than this are not checked, because their rights were checked a moment ago (milliseconds). */
const SHORT_MS = 100;

type WatchedRoute = Parameters<RevocationWatch['watch']>[1];

interface WatchedCaller {
  readonly identity: Identity;
  readonly route: WatchedRoute;
  /** Milliseconds of a monotonic clock. */
  readonly since: number;
  readonly end: () => void;
}

/** The rights of callers at one moment. */
interface Rights {
  /** Whether a key is valid, by its SHA-256. */
  readonly key: (hash: string) => boolean;
  readonly session: (session: Session) => boolean;
  readonly role: (identity: Identity) => Identity['principal']['role'] | null;
}

/**
 * Checks the rights of all requests that take longer than a moment: streams of changes, long answers, bodies that arrive slowly. One check reads the
 * rights of all callers. It does not use the cache of the guard, because the cached time would add up.
 */
export class Revocations implements RevocationWatch {
  private readonly watchedCallers = new Set<WatchedCaller>();
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  /** @param latestOf when a session ends at the latest (integer milliseconds) */
  constructor(
    private readonly documents: Pick<Documents, 'collection'>,
    private readonly clock: Pick<Clock, 'now' | 'steady'>,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly latestOf: (session: Session) => number,
  ) {}

  watch(identity: Identity, route: WatchedRoute, end: () => void): () => void {
    // Each of these callers has one short request.
    if (identity.principal.kind === 'invitation' || identity.principal.kind === 'gateway') return () => undefined;
    const watchedCaller: WatchedCaller = { identity, route, since: this.clock.steady(), end };
    this.watchedCallers.add(watchedCaller);
    this.timer ??= this.schedule();
    return () => void this.watchedCallers.delete(watchedCaller);
  }

  stop(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.watchedCallers.clear();
  }

  private schedule(): NodeJS.Timeout | null {
    return this.stopped ? null : setTimeout(() => void this.checkRights(), LOOK_MS).unref();
  }

  private async checkRights(): Promise<void> {
    const before = this.clock.steady() - SHORT_MS;
    const all = [...this.watchedCallers].filter(({ since }) => since <= before);
    try {
      const rights = await this.rightsOf(all.map(({ identity }) => identity));
      for (const watchedCaller of all) {
        if (isPermitted(rights, watchedCaller)) continue;
        if (this.watchedCallers.delete(watchedCaller)) watchedCaller.end();
      }
    } catch (err) {
      this.logger.warn({ err }, 'rights of callers could not be read; requests under way go on until they can');
    }
    this.timer = this.watchedCallers.size === 0 ? null : this.schedule();
  }

  private async rightsOf(identities: readonly Identity[]): Promise<Rights> {
    const sessions = identities.flatMap(({ session }) => session ?? []);
    const ofProvider = sessions.filter(({ key }) => key === null).map(({ principal }) => streams.user(principal));
    const of = (kind: Identity['principal']['kind']) => identities.filter(({ principal }) => principal.kind === kind);
    const read = <Doc extends object>(from: Parameters<typeof this.documents.collection<Doc>>[0], ids: string[]) =>
      getAll(this.documents.collection<Doc>(from), ids);
    const [keys, ends, users, members, accounts] = await Promise.all([
      read(apiKeys, identities.flatMap(keyOf)),
      read(
        sessionEnds,
        sessions.map(({ principal }) => principal),
      ),
      read(user.states, ofProvider),
      read(
        membership.states,
        of('user').map(({ org, principal }) => streams.membership(org.id, principal.id)),
      ),
      read(
        serviceAccount.states,
        of('service-account').map(({ principal }) => streams.serviceAccount(principal.id)),
      ),
    ]);
    const now = this.clock.now();
    return {
      key: (hash) => {
        const keyDocument = keys.get(hash);
        return keyDocument !== undefined && (keyDocument.expiresAt === 0 || now < keyDocument.expiresAt * 1_000);
      },
      session: (session) => {
        const { id, principal, key, startedAt } = session;
        const sessionEnds = ends.get(principal);
        if (now >= this.latestOf(session)) return false;
        if (sessionEnds !== undefined && (startedAt <= sessionEnds.before || Object.hasOwn(sessionEnds.ended, id)))
          return false;
        const userState = key === null ? users.get(streams.user(principal)) : null;
        return userState === null || (userState !== undefined && userState.removed !== true);
      },
      role: ({ org, principal }) => {
        if (principal.kind === 'user') return members.get(streams.membership(org.id, principal.id))?.role ?? null;
        const account = accounts.get(streams.serviceAccount(principal.id));
        return account?.org === org.id && !account.deleted ? account.privilege : null;
      },
    };
  }
}

/** The key behind a call, or behind its session. */
function keyOf({ key, session }: Identity): string[] {
  const hash = session === undefined ? key : session.key;
  return hash == null ? [] : [hash];
}

function isPermitted(rights: Rights, { identity, route: { permission, lasting } }: WatchedCaller): boolean {
  const { session } = identity;
  if (session !== undefined && !rights.session(session)) return false;
  if (!keyOf(identity).every((hash) => rights.key(hash))) return false;
  const role = rights.role(identity);
  if (role === null) return false;
  // A lasting request began with the rights of a role, and its answer shows the data that this role may see.
  if (lasting === true) return role === identity.principal.role;
  const own =
    permission === 'self' || permission === 'public' || permission === 'invitation' || permission === 'gateway';
  return own || may(role, permission);
}
