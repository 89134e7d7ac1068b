/** The endpoint that issues access tokens, by the client credentials grant of OAuth 2.0 (RFC 6749, section 4.4). */
export interface TokenEndpoint {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Null: the default of the server. */
  readonly scope: string | null;
}

const ANSWER_MS = 10_000;
/** A new token is requested when the current one expires within this time (milliseconds). */
const LEFT_MS = 30_000;
/** How long a token counts as valid if the server does not say (seconds). */
const UNSAID_SECONDS = 60;

/**
 * Requests access tokens, one at a time, and caches each until shortly before it expires.
 *
 * @returns a function that returns a token; if the endpoint issues none, it rejects with a sentence that names no secret
 */
export function oauthToken(endpoint: TokenEndpoint): () => Promise<{ value: string }> {
  let cachedToken: { readonly value: string; readonly until: number } | null = null;
  let pendingRequest: Promise<{ value: string }> | null = null;
  return () => {
    if (cachedToken !== null && cachedToken.until - LEFT_MS > performance.now())
      return Promise.resolve({ value: cachedToken.value });
    pendingRequest ??= ask(endpoint)
      .then(({ value, seconds }) => {
        cachedToken = { value, until: performance.now() + seconds * 1_000 };
        return { value };
      })
      .finally(() => (pendingRequest = null));
    return pendingRequest;
  };
}

async function ask({ url, clientId, clientSecret, scope }: TokenEndpoint): Promise<{ value: string; seconds: number }> {
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === null ? {} : { scope }) }),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = (await response.json().catch(() => null)) as { access_token?: unknown; expires_in?: unknown } | null;
  if (!response.ok || typeof answer?.access_token !== 'string') {
    throw new Error(`the token endpoint answered with status ${response.status} and gave no access token`);
  }
  const seconds = Number(answer.expires_in);
  return { value: answer.access_token, seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : UNSAID_SECONDS };
}
