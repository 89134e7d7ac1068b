// Runs an OpenID Connect provider in a process of its own: its package is an ES module, which Jest does not load. Says where it listens; ends when
// standard input closes, so it goes with its starter, however that one ends.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import Provider from 'oidc-provider';
import { CLIENT, type ProviderClaims } from './provider';

/** The claims by subject. An unknown subject signs in without claims. */
const accounts = new Map<string, ProviderClaims>();
let redirects: readonly string[] = [];
let away = false;
let handle: ((request: IncomingMessage, response: ServerResponse) => unknown) | null = null;

const server = createServer((request, response) => {
  void answer(request, response).catch((fault: unknown) => response.writeHead(500).end(String(fault)));
});

/** `/test/...` is for the test alone: it says who has which claims, where clients may be sent back to, and whether the provider is away. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, own, what, of = ''] = (request.url ?? '').split('/');
  if (own !== 'test') {
    if (away) response.writeHead(503).end();
    else await (handle ??= provider())(request, response);
    return;
  }
  const body = await json(request);
  if (what === 'accounts') accounts.set(decodeURIComponent(of), body as ProviderClaims);
  if (what === 'redirects') redirects = body as string[];
  if (what === 'away') away = body as boolean;
  response.writeHead(204).end();
}

function provider() {
  const { port } = server.address() as AddressInfo;
  return new Provider(`http://127.0.0.1:${port}`, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [...redirects],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: {
      openid: ['sub', 'azp'],
      profile: ['preferred_username', 'name'],
      email: ['email', 'email_verified', 'xms_edov'],
      groups: ['groups', 'hasgroups'],
    },
    cookies: { keys: ['of a provider that is for tests alone'] },
    // ID tokens of a code have claims about a person, too: here those that the test says.
    conformIdTokenClaims: false,
    findAccount: (_, sub) => {
      const { id_token, ...userInfo } = accounts.get(sub) ?? {};
      return { accountId: sub, claims: (use) => ({ ...(use === 'id_token' ? id_token : userInfo), sub }) };
    },
  }).callback();
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().once('close', () => process.exit());
