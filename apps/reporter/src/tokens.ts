import { createSign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sendRequest, askJson, directNetwork, messageOf, type Network } from './http';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns a token for one cloud. It is requested again a minute before it expires. */
export type Token = () => Promise<string>;

interface IssuedToken {
  readonly access_token: string;
  /** Seconds; the metadata service of Azure sends a text. */
  readonly expires_in: number | string;
}

function renewingToken(issue: () => Promise<IssuedToken>): Token {
  let token = '';
  let endsAt = 0;
  return async () => {
    if (Date.now() < endsAt - 60_000) return token;
    const { access_token, expires_in } = await issue();
    [token, endsAt] = [access_token, Date.now() + Number(expires_in) * 1_000];
    return token;
  };
}

async function sendForm(url: string, fields: Readonly<Record<string, string>>, network: Network): Promise<IssuedToken> {
  const body = new URLSearchParams(fields).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await sendRequest({ method: 'POST', url: new URL(url), headers, body, network });
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}: ${messageOf(answer.text)}`);
  return JSON.parse(answer.text) as IssuedToken;
}

/** Google's token: from the key file in `GOOGLE_APPLICATION_CREDENTIALS`, otherwise from the service account of the machine. */
export function googleToken(env: Env, network: Network): Token {
  const file = env['GOOGLE_APPLICATION_CREDENTIALS'];
  if (file !== undefined) {
    const key = JSON.parse(readFileSync(file, 'utf8')) as {
      client_email: string;
      private_key: string;
      token_uri: string;
    };
    if (key.private_key === undefined) throw new Error(`${file} is no key of a service account.`);
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    return renewingToken(async () => sendForm(key.token_uri, { grant_type, assertion: googleAssertion(key) }, network));
  }
  const host = env['GCE_METADATA_HOST'] ?? 'metadata.google.internal';
  const url = new URL(`http://${host}/computeMetadata/v1/instance/service-accounts/default/token`);
  const headers = { 'metadata-flavor': 'Google' };
  return renewingToken(async () => askJson<IssuedToken>({ method: 'GET', url, headers, network: directNetwork() }));
}

/** RFC 7523: a signed assertion of the caller's identity. */
function googleAssertion(key: { client_email: string; private_key: string; token_uri: string }): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: key.client_email,
    scope: 'https://www.googleapis.com/auth/cloud-platform.read-only',
    aud: key.token_uri,
    iat: now,
    exp: now + 3_600,
  };
  const encoded = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = createSign('RSA-SHA256').update(encoded.join('.')).sign(key.private_key, 'base64url');
  return [...encoded, signature].join('.');
}

/**
 * Azure's token: from the client secret or workload identity in the variables `AZURE_…`, as in Azure's own tools; otherwise from the managed identity
 * of the app or machine.
 *
 * @param resource the resource for which the token is valid: `https://management.azure.com`
 */
export function azureToken(env: Env, network: Network, resource: string): Token {
  const { AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: id, AZURE_CLIENT_SECRET: secret } = env;
  const file = env['AZURE_FEDERATED_TOKEN_FILE'];
  if (tenant !== undefined && id !== undefined && (secret !== undefined || file !== undefined)) {
    const authority = env['AZURE_AUTHORITY_HOST'] ?? 'https://login.microsoftonline.com/';
    const url = new URL(`${tenant}/oauth2/v2.0/token`, authority).href;
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    const proof = (): Readonly<Record<string, string>> =>
      secret !== undefined
        ? { client_secret: secret }
        : { client_assertion_type, client_assertion: readFileSync(file ?? '', 'utf8') };
    const fields = { grant_type: 'client_credentials', client_id: id, scope: `${resource}/.default` };
    return renewingToken(async () => sendForm(url, { ...fields, ...proof() }, network));
  }
  const { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: header } = env;
  const url = new URL(endpoint ?? 'http://169.254.169.254/metadata/identity/oauth2/token');
  url.searchParams.set('api-version', endpoint === undefined ? '2018-02-01' : '2019-08-01');
  url.searchParams.set('resource', resource);
  if (id !== undefined) url.searchParams.set('client_id', id);
  const headers: Record<string, string> = header === undefined ? { metadata: 'true' } : { 'x-identity-header': header };
  return renewingToken(async () => askJson<IssuedToken>({ method: 'GET', url, headers, network: directNetwork() }));
}
