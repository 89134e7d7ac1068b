import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Message } from '../domain/message';
import type { Tools } from './channel';
import { MAIL_CONNECTIONS, openMailer } from './email/mailer';
import { mailHtml, mailText } from './email/render';
import { addressRule } from '@assurance/http/outgoing/addresses';
import type { Resolve } from '@assurance/http/outgoing/guard';
import { Sender, sentOf } from './http/sender';
import { channels } from './registry';
import { slackMessage } from './slack/blocks';
import { payload } from './webhook/payload';
import { signature } from './webhook/signature';
import { wordsOf } from './words';

const FINGERPRINT = 'ab'.repeat(32);
const site = { publicUrl: 'https://assurance.example', org: 'acme' };
const provenance = {
  flow: 'shop-web',
  artifactId: 'a1',
  trail: 't',
  gitCommit: '4f'.repeat(20),
  commitUrl: 'https://github.com/acme/shop/commit/4f4f',
  buildUrl: null,
};
const message: Message = {
  org: 'acme',
  notification: 'alerts',
  environment: 'production',
  at: 1_700_000_889_500,
  snapshot: { index: 42, compliant: false },
  told: [
    {
      type: 'ARTIFACT_STARTED',
      description: '1 instance started running (from 0 to 1)',
      artifact: { name: '<b>&*shop*`/web', fingerprint: FINGERPRINT, compliant: true, provenance },
    },
    { type: 'NON_COMPLIANT_ENV', description: 'The environment is not compliant any more', artifact: null },
  ],
  counts: { ARTIFACT_STARTED: 30, NON_COMPLIANT_ENV: 1 },
};
const plain: Message = {
  ...message,
  told: [{ ...message.told[0]!, artifact: { ...message.told[0]!.artifact!, provenance: null } }],
};

describe('what is said', () => {
  it('to webhooks is the documented payload', () => {
    expect(payload(site, message)).toEqual({
      version: '1.0',
      timestamp: '1700000889.5',
      org: 'acme',
      environment: 'production',
      event_type: 'ARTIFACT_STARTED',
      description: '1 instance started running (from 0 to 1)',
      snapshot: {
        index: '42',
        status: 'NON-COMPLIANT',
        html_url: 'https://assurance.example/acme/environments/production/snapshots/42',
        api_url: 'https://assurance.example/api/v2/snapshots/acme/production/42',
      },
      artifact: {
        name: '<b>&*shop*`/web',
        fingerprint: FINGERPRINT,
        provenance: {
          flow: 'shop-web',
          status: 'COMPLIANT',
          commit: '4f'.repeat(20),
          commit_url: 'https://github.com/acme/shop/commit/4f4f',
          html_url: `https://assurance.example/acme/flows/shop-web/artifacts/${FINGERPRINT}?artifact_id=a1`,
          api_url: `https://assurance.example/api/v2/artifacts/acme/shop-web/fingerprint/${FINGERPRINT}`,
          build_url: null,
        },
      },
    });
    for (const { told } of [message, plain]) {
      const artifact = { ...told[0]!.artifact!, kind: 'rollback' as const };
      expect(payload(site, { ...message, told: [{ ...told[0]!, artifact }] })).toMatchObject({
        artifact: { kind: 'rollback' },
      });
    }
    expect(payload(site, { ...message, told: message.told.slice(1) })).toMatchObject({
      event_type: 'NON_COMPLIANT_ENV',
      artifact: null,
    });
  });

  it('in Slack is escaped, and says what is not listed', () => {
    const text = JSON.stringify(slackMessage(wordsOf(site, message)));
    expect(text).toContain('production #42: 30 started, not compliant');
    expect(text).toContain('|&lt;b&gt;&amp;*shop*`/web>: 1 instance started');
    expect(text).toContain('and 29 more');
    expect(text).not.toContain('<b>');
    expect(JSON.stringify(slackMessage(wordsOf(site, plain)))).toContain("`&lt;b&gt;&amp;*shop*'/web`: 1 instance");
  });

  it('in Slack keeps to its limits, however long names are', () => {
    const name = '<'.repeat(5_000);
    const results = Array.from({ length: 20 }, () => ({
      ...message.told[0]!,
      artifact: { ...message.told[0]!.artifact!, name },
    }));
    const { text, blocks } = slackMessage(wordsOf(site, { ...message, environment: name, told: results })) as {
      text: string;
      blocks: { text?: { text: string }; type: string }[];
    };
    expect(text.length).toBeLessThan(40_000);
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const block of blocks)
      expect(block.text?.text.length ?? 0).toBeLessThanOrEqual(block.type === 'header' ? 150 : 3_000);
  });

  it('in mail is text, and HTML in which nothing of others is markup', () => {
    const words = wordsOf(site, { ...message, environment: '"><script>x' });
    expect(mailText(words)).toContain(
      '<b>&*shop*`/web: 1 instance started running (from 0 to 1) (4f4f4f4 of shop-web)',
    );
    expect(mailHtml(words)).toContain('<b>&#60;b&#62;&#38;*shop*`/web</b>');
    expect(mailHtml(words)).not.toMatch(/<script|<b>&\*|"><s/);
  });
});

it('signs time and body, by both secrets while one is changed', () => {
  const hex = (secret: string) => createHmac('sha256', secret).update('1700000889.{"a":1}').digest('hex');
  expect(signature(['one', 'two'], 1_700_000_889_999, '{"a":1}')).toBe(
    `t=1700000889,v1=${hex('one')},v1=${hex('two')}`,
  );
});

describe('addresses', () => {
  const allowed = addressRule(['10.1.0.0/16', 'fd00:1::/32']);
  it.each(['93.184.216.34', '2606:2800:220:1::1', '10.1.2.3', '::ffff:10.1.2.3', 'fd00:1::5'])(
    '%s is connected to',
    (address) => {
      expect(allowed(address)).toBe(true);
    },
  );
  it.each([
    '127.0.0.1',
    '10.2.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '::10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '4000::1',
    'no address',
    '',
  ])('%s is not', (address) => {
    expect(allowed(address)).toBe(false);
  });
});

it('connects to the wire server of Azure if its network is named', () => {
  expect(addressRule(['168.63.129.16/32'])('168.63.129.16')).toBe(true);
});

describe('sending over HTTP', () => {
  let server: Server;
  let url: string;
  const seen: { headers: IncomingMessage['headers']; body: string; path: string }[] = [];
  let answer: (response: ServerResponse) => void;
  const senders: Sender[] = [];
  const senderOf = (networks: string[], resolve?: Resolve, ms?: number) => {
    const sender = new Sender(addressRule(networks), resolve, ms);
    senders.push(sender);
    return sender;
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => (body += String(piece)));
      request.on('end', () => {
        seen.push({ headers: request.headers, body, path: request.url ?? '' });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=1`;
  });
  beforeEach(() => {
    seen.length = 0;
    answer = (response) => response.writeHead(204).end();
  });
  afterAll(async () => {
    for (const sender of senders) await sender.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const post = async (sender: Sender, to = url) => {
    const answered = await sender.post(to, '{}', { 'idempotency-key': 'k' });
    return 'status' in answered ? sentOf(answered) : answered;
  };
  const tools = (sender: Sender, token: string | null = null): Tools => ({
    sender,
    mailer: null,
    slack: { apiUrl: url.replace('/hook?key=1', '/api'), token },
  });
  const job = (fields: Record<string, string>, signing: string[] = []) => ({
    id: 'd1',
    message,
    site,
    fields,
    signing,
    now: 1_700_000_889_000,
  });

  it('says when it arrived', async () => {
    expect(await post(senderOf(['127.0.0.0/8']))).toEqual({ delivered: true, detail: 'answered 204' });
    expect(seen).toMatchObject([{ path: '/hook?key=1', body: '{}', headers: { 'idempotency-key': 'k' } }]);
  });

  it.each([
    [500, {}, 'answered 500: oops', undefined, undefined],
    [429, { 'retry-after': '7' }, 'answered 429: oops', '7', undefined],
    [410, {}, 'answered 410: oops', undefined, true],
    [302, { location: 'http://169.254.169.254/' }, 'answered 302: redirects are not followed', undefined, true],
  ])('takes %i for a failure', async (status, headers, detail, retryAfter, final) => {
    answer = (response) => response.writeHead(status, headers).end('oops');
    expect(await post(senderOf(['127.0.0.0/8']))).toEqual({ delivered: false, detail, retryAfter, final });
    expect(seen.length).toBe(1);
  });

  it('hides the URL and the token if the answer of a target repeats them', async () => {
    const path = '/services/T0SECRETS/deadbeefcafe?token=hush%20hush';
    const sender = senderOf(['127.0.0.0/8']);
    answer = (response) => response.writeHead(404).end(`Cannot POST ${path} (T0SECRETS, hush hush, xoxb-12345)`);
    const to = url.replace('/hook?key=1', path);
    const sent = await sender.post(to, '{}', { authorization: 'Bearer xoxb-12345' });
    expect(sent).toMatchObject({ status: 404, text: 'Cannot POST **** (****, ****, ****)' });
    const refused = await post(senderOf([]), `http://127.0.0.1:1${path}`);
    expect(refused.detail).not.toMatch(/deadbeefcafe|T0SECRETS/);
  });

  it('gives up on a slow target, and on a target that closes the connection', async () => {
    answer = () => undefined;
    expect(await post(senderOf(['127.0.0.0/8'], undefined, 100))).toMatchObject({ delivered: false });
    answer = (response) => response.destroy();
    expect(await post(senderOf(['127.0.0.0/8']))).toMatchObject({ delivered: false });
  });

  it('reads no more of an answer than it needs', async () => {
    answer = (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    expect(await post(senderOf(['127.0.0.0/8']))).toEqual({ delivered: true, detail: 'answered 200' });
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://[::ffff:127.0.0.1]:1/',
  ])('connects to no address like %s', async (to) => {
    const sent = await post(senderOf([]), to);
    expect(sent).toMatchObject({ delivered: false, final: true });
    expect(sent.detail).toContain('is not public');
  });

  it('connects to no name that leads inside, also when it first led outside', async () => {
    const answers = ['93.184.216.34', '127.0.0.1'];
    const requests: string[] = [];
    const rebinding: Resolve = (host, _options, done) => {
      requests.push(host);
      done(null, [{ address: answers[Math.min(requests.length, answers.length) - 1] ?? '', family: 4 }]);
    };
    const { port } = server.address() as AddressInfo;
    // If a client checks the first answer and resolves again to connect, the second answer leads it into the internal network.
    rebinding('hooks.example', { all: true }, () => undefined);
    const sent = await post(senderOf([], rebinding), `http://hooks.example:${port}/`);
    expect(sent).toMatchObject({ delivered: false, final: true });
    expect([requests.length, seen.length]).toEqual([2, 0]);
    const resolveBoth: Resolve = (_host, _options, done) =>
      done(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    expect(await post(senderOf([], resolveBoth), `http://hooks.example:${port}/`)).toMatchObject({
      delivered: false,
      final: true,
    });
    const inside: Resolve = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
    expect(await post(senderOf(['127.0.0.0/8'], inside), `http://hooks.example:${port}/`)).toMatchObject({
      delivered: true,
    });
  });

  it('sends webhooks signed', async () => {
    const sent = await channels.WEBHOOK.send(job({ webhook: url }, ['s']), tools(senderOf(['127.0.0.0/8'])));
    expect(sent.delivered).toBe(true);
    const [request] = seen;
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ version: '1.0', event_type: 'ARTIFACT_STARTED' });
    expect(request?.headers).toMatchObject({
      'idempotency-key': 'd1',
      'x-assurance-signature': signature(['s'], 1_700_000_889_000, request?.body ?? ''),
    });
  });

  it('posts to Slack by a webhook, or by the installed app, which may refuse with 200', async () => {
    const sender = senderOf(['127.0.0.0/8']);
    expect(await channels.SLACK.send(job({ webhook: url }), tools(sender))).toMatchObject({ delivered: true });
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ blocks: expect.any(Array) as unknown });
    expect(await channels.SLACK.send(job({ channel_id: 'C1' }), tools(sender))).toMatchObject({
      delivered: false,
      final: true,
    });
    answer = (response) => response.writeHead(200).end('{"ok":true}');
    expect(await channels.SLACK.send(job({ channel_id: 'C1' }), tools(sender, 'xoxb'))).toMatchObject({
      delivered: true,
    });
    expect(seen[1]).toMatchObject({ path: '/api/chat.postMessage', headers: { authorization: 'Bearer xoxb' } });
    expect(JSON.parse(seen[1]?.body ?? '')).toMatchObject({ channel: 'C1' });
    answer = (response) => response.writeHead(200).end('{"ok":false,"error":"channel_not_found"}');
    const refused = await channels.SLACK.send(job({ channel_id: 'C1' }), tools(sender, 'xoxb'));
    expect(refused).toEqual({ delivered: false, detail: 'Slack refused it: channel_not_found' });
  });
});

describe('sending mail', () => {
  const mails: { to: string[]; text: string }[] = [];
  let refuse: string | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (piece: Buffer) => (text += piece.toString()));
      stream.on('end', () => {
        if (refuse !== null) return done(Object.assign(new Error(refuse), { responseCode: 451 }));
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

  it('goes to all addresses, as text and HTML, and is told when the server refuses', async () => {
    const mailer = openMailer({ url: `smtp://127.0.0.1:${port}`, from: 'Assurance <assurance@example.com>' });
    const tools = { mailer } as unknown as Tools;
    const job = { id: 'd1', message, site, fields: { emails: 'a@example.com, b@example.com' }, signing: [], now: 1 };
    expect(await channels.EMAIL.send(job, tools)).toMatchObject({ delivered: true });
    const [mail] = mails;
    expect(mail?.to).toEqual(['a@example.com', 'b@example.com']);
    for (const part of [
      'Subject: [acme] production #42: 30 started',
      'Message-ID: <d1@example.com>',
      'text/plain',
      'text/html',
    ]) {
      expect(mail?.text).toContain(part);
    }
    refuse = 'not now';
    const refused = await channels.EMAIL.send(job, tools);
    expect([refused.delivered, refused.detail]).toEqual([false, expect.stringContaining('not now')]);
    await mailer.close();
    expect(await channels.EMAIL.send(job, { ...tools, mailer: null })).toMatchObject({ delivered: false, final: true });
  });

  it('is given up, with its connection, when it takes too long on all: the next one is sent', async () => {
    // Each single answer arrives in time.
    const slow = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom: (_address, _session, done) => void setTimeout(done, drip),
      onRcptTo: (_address, _session, done) => void setTimeout(done, drip),
      onData: (stream, _session, done) => void stream.on('end', done).resume(),
    });
    let drip = 1_200;
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const url = `smtp://127.0.0.1:${(slow.server.address() as AddressInfo).port}`;
    const mailer = openMailer({ url, from: 'assurance@example.com' }, 2_000);
    const tools = { mailer } as unknown as Tools;
    const job = { id: 'd2', message, site, fields: { emails: 'a@example.com' }, signing: [], now: 1 };
    const tried = await Promise.all(Array.from({ length: MAIL_CONNECTIONS }, () => channels.EMAIL.send(job, tools)));
    for (const sent of tried) expect(sent).toEqual({ delivered: false, detail: 'Error: it took longer than 2000 ms' });
    drip = 0;
    expect(await channels.EMAIL.send(job, tools)).toMatchObject({ delivered: true });
    await mailer.close();
    await new Promise<void>((resolve) => slow.close(resolve));
  });
});
