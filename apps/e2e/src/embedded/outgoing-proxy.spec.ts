import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import { OutgoingProxy } from '@assurance/testing/outgoing-proxy';
import { makeCertificates } from '../support/certificates';
import { BOOTSTRAP } from '../support/declared';
import { eventually } from '../support/eventually';
import { ledger, notification, NOTIFICATIONS, test, webhook } from '../support/notifying';
import { TestProvider } from '../support/openid/provider';
import { Visitor } from '../support/openid/visitor';
import { Place } from '../support/process';
import { fresh } from '../support/samples';
import { worldOf } from '../support/world';

const PUBLIC_URL = 'http://127.0.0.1:9';

describe('a service that only a proxy leads out of', () => {
  const place = new Place();
  const seen: { readonly path: string; readonly authorization: string | undefined }[] = [];
  let proxy: OutgoingProxy;
  let provider: TestProvider;
  let receiver: ReturnType<typeof createServer>;
  let hook: string;
  let ca: string;

  beforeAll(async () => {
    const certificates = makeCertificates(join(place.folder, 'certificates'));
    ca = certificates.ca;
    const pem = readFileSync(certificates.server, 'utf8');
    receiver = createServer({ cert: pem, key: pem }, ({ url, headers }, response) => {
      seen.push({ path: url ?? '', authorization: headers.authorization });
      response.writeHead(200).end('{"ok":true}');
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    hook = `localhost:${(receiver.address() as AddressInfo).port}`;
    provider = await TestProvider.start();
    await provider.redirects(`${PUBLIC_URL}/api/v2/sign-in/openid/callback`);
    proxy = await OutgoingProxy.start();
  }, 90_000);
  afterAll(async () => {
    await place.clear();
    await provider.stop();
    await proxy.stop();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  }, 90_000);

  it('sends to webhooks and Slack, and signs people in, through the proxy', async () => {
    const service = place.start({
      ...provider.settings({ ASSURANCE_PUBLIC_URL: PUBLIC_URL }),
      ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
      ASSURANCE_SECRET: randomBytes(32).toString('hex'),
      ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8,::1/128',
      ASSURANCE_SLACK_TOKEN: 'xoxb-1',
      ASSURANCE_SLACK_API_URL: `https://${hook}/slack-api`,
      HTTPS_PROXY: proxy.url,
      http_proxy: proxy.url,
      // What is on this machine goes through it too.
      ASSURANCE_NO_PROXY: 'unused.example.com',
      NODE_EXTRA_CA_CERTS: ca,
    });
    const url = await service.url();
    const member = (await worldOf({ url })).as('member');
    const { number, targets } = await notification(member, {
      targets: [
        webhook(`https://ci:planted%20password@${hook}/hook`),
        webhook(`https://${hook}/plain`),
        { type: 'SLACK', context: { channel_id: 'C1' } },
      ],
    });
    expect(targets[0]).toMatchObject({ webhook: '', webhook_hint: '****hook' });
    await test(member, number);
    const sent = await eventually(
      () => ledger(member, number),
      (all) => all.length === 3 && all.every(({ state }) => state === 'delivered'),
    );
    expect(JSON.stringify(sent)).not.toMatch(/planted|@/);
    expect(seen.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: '/hook', authorization: `Basic ${btoa('ci:planted password')}` },
      { path: '/plain', authorization: undefined },
      { path: '/slack-api/chat.postMessage', authorization: 'Bearer xoxb-1' },
    ]);
    expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${hook}`]));

    proxy.requests.length = 0;
    const login = fresh('person');
    await provider.account(login, { email: `${login}@example.com`, email_verified: true });
    const visitor = new Visitor(PUBLIC_URL, [url]);
    await visitor.signIn(login);
    expect((await visitor.api('GET', '/session')).status).toBe(200);
    const paths = new Set(proxy.requests.map((query) => query.replace(provider.issuer, '')));
    expect(paths).toEqual(new Set(['GET /.well-known/openid-configuration', 'POST /token', 'GET /jwks', 'GET /me']));

    const stored = await member.get<NotificationAnswer>(`${NOTIFICATIONS}/${number}`);
    expect(JSON.stringify(stored)).not.toContain('planted');
    expect(await service.stop()).toBe(0);
    expect(service.out + service.err).not.toMatch(new RegExp(`planted password|${proxy.password}`));
  }, 90_000);
});
