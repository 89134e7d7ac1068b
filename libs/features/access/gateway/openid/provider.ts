import type { Clock, OpenIdConnect } from '@assurance/event-sourcing/tokens';
import { type Proxies, proxyFor } from '@assurance/kernel';
import type { Configuration, CustomFetchOptions } from 'openid-client';
import type { Dispatcher } from 'undici';
import type { Attempt } from './attempt';
import { claimsOf, wrongClaim } from './id-token';
import type { Claims } from './person';

/** How long the provider may take for one answer (seconds). */
const TIMEOUT_S = 10;
/** How long the metadata of the provider is cached, and the pause after it could not be read (milliseconds). */
const KNOWN_MS = 3_600_000;
const AWAY_MS = 5_000;

/** The reason of a failed sign-in, as the sign-in page shows it. */
type Problem =
  /** The provider does not answer. */
  | 'away'
  /** The person or the provider refused. */
  | 'denied'
  /** The answer of the provider is not valid. */
  | 'failed'
  // This service refuses: the attempt cannot be used any more, or the person whom the provider authenticated may not sign in.
  | 'expired'
  | 'email'
  | 'removed'
  | 'taken'
  | 'too-many';

export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  /**
   * @param why a word for the log, which holds no secret
   * @param account SHA-256 of issuer and subject; null while they are unknown
   */
  constructor(
    readonly problem: Problem,
    readonly why = '',
    readonly account: string | null = null,
  ) {
    super(problem);
  }
}

/** Loads the library at the first sign-in, so that installations without a provider do not load it. */
const library = () => import('openid-client');

/** The OpenID Connect provider. Its metadata is read when it is first needed, and again every hour. */
export class Provider {
  private cachedConfiguration: { readonly configuration: Promise<Configuration>; readonly until: number } | null = null;

  /** Connections through proxies, by the proxy's URL. */
  private readonly agents = new Map<string, Dispatcher>();

  constructor(
    readonly settings: OpenIdConnect,
    private readonly proxies: Proxies,
    private readonly clock: Pick<Clock, 'now' | 'steady'>,
  ) {}

  /** Creates the secrets of a new attempt. */
  async begin(): Promise<Pick<Attempt, 'state' | 'nonce' | 'verifier'>> {
    const { randomNonce, randomPKCECodeVerifier, randomState } = await library();
    return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  }

  /**
   * The address of the provider to which the browser goes.
   *
   * @param again the person has to sign in at the provider again, even if already signed in there
   * @throws SignInFailed
   */
  async address(
    { state, nonce, verifier }: Pick<Attempt, 'state' | 'nonce' | 'verifier'>,
    callback: string,
    again = false,
  ): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
    const url = buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: callback,
      scope: this.settings.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(again ? { prompt: 'login' } : {}),
    });
    return url.href;
  }

  /**
   * Exchanges the code that the browser brings back, and checks all data that the provider signed.
   *
   * @param callback the address that the browser requested, with its query
   * @throws SignInFailed
   */
  async claims(
    callback: URL,
    { state, nonce, verifier, at }: Attempt,
  ): Promise<Claims & { readonly iss: string; readonly sub: string }> {
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    const configuration = await this.configuration();
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await authorizationCodeGrant(configuration, callback, checks);
      const claims = tokens.claims();
      if (claims === undefined) throw new SignInFailed('failed', 'no ID token');
      const { clientId } = this.settings;
      const invalidClaim = wrongClaim(claims, { clientId, begunAt: at, now: this.clock.now() });
      if (invalidClaim !== null) throw new SignInFailed('failed', `ID token with a wrong ${invalidClaim}`);
      if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
      const userInfo = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return claimsOf(claims, userInfo);
    } catch (fault) {
      throw failure(fault);
    }
  }

  /** The metadata of the provider. Concurrent callers wait for the same request. */
  private async configuration(): Promise<Configuration> {
    const now = this.clock.steady();
    if (this.cachedConfiguration === null || now >= this.cachedConfiguration.until) {
      this.cachedConfiguration = { configuration: this.discover(), until: now + KNOWN_MS };
    }
    const current = this.cachedConfiguration;
    try {
      return await current.configuration;
    } catch (fault) {
      if (this.cachedConfiguration === current)
        this.cachedConfiguration = { ...current, until: Math.min(current.until, this.clock.steady() + AWAY_MS) };
      const failureResult = failure(fault);
      throw new SignInFailed('away', failureResult.why);
    }
  }

  /** Sends every request to the provider: discovery, tokens, keys, user info. */
  private async fetch(url: string, options: CustomFetchOptions): Promise<Response> {
    const proxy = proxyFor(this.proxies, new URL(url));
    if (proxy === null) return fetch(url, options as RequestInit);
    const { fetch: fetchThrough, ProxyAgent } = await import('undici');
    const dispatcher = this.agents.get(proxy) ?? new ProxyAgent({ uri: proxy, proxyTunnel: false });
    this.agents.set(proxy, dispatcher);
    const requestOptions = { ...options, dispatcher } as Parameters<typeof fetchThrough>[1];
    return (await fetchThrough(url, requestOptions)) as unknown as Response;
  }

  private async discover(): Promise<Configuration> {
    const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, customFetch, discovery, ...more } =
      await library();
    const { enableNonRepudiationChecks, None } = more;
    const { issuer, clientId, clientSecret: secret, clientAuthentication } = this.settings;
    const server = new URL(issuer);
    const withSecret = clientAuthentication === 'basic' ? ClientSecretBasic : ClientSecretPost;
    return discovery(server, clientId, undefined, secret === null ? None() : withSecret(secret), {
      timeout: TIMEOUT_S,
      [customFetch]: (url: string, options: CustomFetchOptions) => this.fetch(url, options),
      execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])],
    });
  }
}

/** Codes of faults that mean that the provider cannot be reached or its answer is not as expected. */
const AWAY = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'TimeoutError',
]);

/** Describes a fault by its name and the codes of OAuth and of the network, without data of requests. */
function failure(fault: unknown): SignInFailed {
  if (fault instanceof SignInFailed) return fault;
  const { name, code, error, cause } = fault as {
    name?: string;
    code?: string;
    error?: unknown;
    cause?: { code?: unknown };
  };
  const word = [error, code, cause?.code, name].find(
    (value) => typeof value === 'string' && /^[\w.-]{1,60}$/.test(value),
  );
  const why = typeof word === 'string' ? word : 'unknown';
  if (error === 'access_denied') return new SignInFailed('denied', why);
  if (AWAY.has(why) || (fault instanceof TypeError && fault.message === 'fetch failed'))
    return new SignInFailed('away', why);
  return new SignInFailed('failed', why);
}
