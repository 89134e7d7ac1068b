import type { IncomingHttpHeaders } from 'node:http';
import { signInCookie } from '@assurance/contracts/access/session-cookie';
import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import type { Clock } from '@assurance/event-sourcing/tokens';
import type { SecretBox } from '@assurance/http';
import { sha256 } from '@assurance/kernel';
import type { Collection, Documents } from '@assurance/storage-ports';
import { parseCookie, stringifySetCookie } from 'cookie';

/** The context that an attempt is sealed for. Sealed texts of other contexts do not open as attempts. */
const CONTEXT = 'sign-in';
/** How long a person may take to sign in at the provider (seconds). */
const PATIENCE_S = 600;

/** How many expired attempts are deleted when an attempt is used. */
const FORGOTTEN = 100;

/** An attempt that was used. The document's id is the SHA-256 of its state. */
interface UsedAttempt {
  /** When it expires in any case: integer milliseconds. */
  readonly until: number;
}

export const usedAttempts: CollectionShape<UsedAttempt> = {
  name: 'used_sign_ins',
  indexes: [{ name: 'until', fields: [['until', 'asc']] }],
};

/** The data that the gateway needs when the provider sends the browser back. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
  /** Path and query of the page to go back to. */
  readonly back: string;
  /** Id of the user who attaches the identity; absent for signing in. */
  readonly attachTo?: string;
  /** Integer milliseconds. */
  readonly at: number;
}

/** Stores attempts to sign in as sealed cookies, so that the browser may come back to any gateway. */
export class Attempts {
  private readonly usedAttempts: Collection<UsedAttempt>;

  constructor(
    documents: Pick<Documents, 'collection'>,
    private readonly box: Pick<SecretBox, 'seal' | 'open'>,
    private readonly settings: { readonly publicUrl: string },
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.usedAttempts = documents.collection(usedAttempts);
  }

  /**
   * Marks an attempt as used for all gateways, because a browser may keep a cookie that it was told to forget.
   *
   * @returns false if it was used before
   */
  async use({ state, at }: Attempt): Promise<boolean> {
    const past = await this.usedAttempts.find({
      where: { until: { lte: this.clock.now() } },
      order: [['until', 'asc']],
      limit: FORGOTTEN,
    });
    if (past.length > 0) await this.usedAttempts.write(past.map(({ id }) => ({ kind: 'forget', id })));
    let first = false;
    await this.usedAttempts.merge([sha256(state)], (current) => {
      first = current === null;
      return first ? { until: at + PATIENCE_S * 1_000 } : undefined;
    });
    return first;
  }

  /** The attempt in a browser's cookie; null if there is none, it took too long, or this installation did not seal it. */
  read({ cookie }: IncomingHttpHeaders): Attempt | null {
    const sealedAttempt =
      cookie === undefined ? undefined : parseCookie(cookie)[signInCookie(this.settings.publicUrl).name];
    if (sealedAttempt === undefined) return null;
    try {
      const attempt = JSON.parse(this.box.open(sealedAttempt, CONTEXT)) as Attempt;
      return this.clock.now() - attempt.at < PATIENCE_S * 1_000 ? attempt : null;
    } catch {
      return null;
    }
  }

  /** The `Set-Cookie` that stores an attempt in the browser. */
  cookieOf(attempt: Attempt): string {
    return this.setCookie(this.box.seal(JSON.stringify(attempt), CONTEXT), PATIENCE_S);
  }

  /** The `Set-Cookie` that deletes the attempt in the browser, because it can be used once. */
  clearingCookie(): string {
    return this.setCookie('', 0);
  }

  private setCookie(value: string, maxAge: number): string {
    const { name, path, secure } = signInCookie(this.settings.publicUrl);
    return stringifySetCookie({ name, value, path, secure, maxAge, httpOnly: true, sameSite: 'lax' });
  }
}
