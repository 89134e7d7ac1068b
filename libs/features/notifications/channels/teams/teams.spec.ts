import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message, MessageItem } from '../../domain/message';
import type { Tools } from '../channel';
import { addressRule } from '@assurance/http/outgoing/addresses';
import { Sender } from '../http/sender';
import { channels } from '../registry';

const provenance = {
  flow: '[shop](https://evil.example)',
  artifactId: 'a1',
  trail: 't',
  gitCommit: '4f'.repeat(20),
  commitUrl: null,
  buildUrl: null,
};
const NAME = '*shop*_web_ [click](https://evil.example) <at>all</at> `x`';
const started: MessageItem = {
  type: 'ARTIFACT_STARTED',
  description: '1 instance started running (from 0 to 1)',
  artifact: { name: NAME, fingerprint: 'ab'.repeat(32), compliant: true, provenance },
};
const message: Message = {
  org: 'acme',
  notification: 'alerts',
  environment: '**production**',
  at: 1_700_000_889_500,
  snapshot: { index: 42, compliant: false },
  told: [started, { type: 'NON_COMPLIANT_ENV', description: 'It is not compliant any more', artifact: null }],
  counts: { ARTIFACT_STARTED: 30, NON_COMPLIANT_ENV: 1 },
};

interface Run {
  readonly text: string;
  readonly selectAction?: { readonly url: string };
}
interface Card {
  readonly type: string;
  readonly version: string;
  readonly body: readonly { readonly type: string; readonly inlines: readonly Run[] }[];
  readonly actions: readonly object[];
}

describe('a message to Microsoft Teams', () => {
  let server: Server;
  let answer: { status: number; headers?: Record<string, string> } = { status: 202 };
  const seen: { readonly body: string; readonly key: unknown }[] = [];
  const sender = new Sender(addressRule(['127.0.0.0/8']));
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => (body += String(piece)));
      request.on('end', () => {
        seen.push({ body, key: request.headers['idempotency-key'] });
        response.writeHead(answer.status, answer.headers).end(`no ${request.url}`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    seen.length = 0;
    answer = { status: 202 };
  });
  afterAll(async () => {
    await sender.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const send = (sent: Message = message) => {
    const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/workflows/1?sig=secret-signature`;
    const site = { publicUrl: 'https://assurance.example', org: 'acme' };
    const job = { id: 'd1', message: sent, site, fields: { webhook }, signing: [], now: 1 };
    return channels.TEAMS.send(job, { sender } as unknown as Tools);
  };
  const cardOf = (body: string) =>
    (JSON.parse(body) as { attachments: readonly [{ content: Card }] }).attachments[0].content;
  const textsOf = ({ body }: Card) => body.map(({ inlines }) => inlines.map(({ text }) => text).join(''));

  it('is one Adaptive Card with the events, the number of events that are not listed, and a link to the page', async () => {
    expect(await send()).toEqual({ delivered: true, detail: 'answered 202' });
    const [{ body, key } = { body: '', key: '' }] = seen;
    expect(key).toBe('d1');
    expect(JSON.parse(body)).toMatchObject({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } }],
    });
    const card = cardOf(body);
    expect(textsOf(card)).toEqual([
      '**production** #42: 30 started, not compliant',
      `${NAME}: 1 instance started running (from 0 to 1) (4f4f4f4 of [shop](https://evil.example))`,
      'It is not compliant any more',
      'and 29 more',
    ]);
    expect(card.body[1]?.inlines[0]?.selectAction?.url).toContain('https://assurance.example/acme/flows/');
    expect(card.actions).toEqual([
      expect.objectContaining({ type: 'Action.OpenUrl', title: 'Open the snapshot' }) as object,
    ]);
  });

  it('shows what others wrote as it is: none of it is in an element that reads Markdown', async () => {
    await send();
    const card = cardOf(seen[0]?.body ?? '');
    for (const { type, inlines } of card.body) {
      expect(type).toBe('RichTextBlock');
      for (const run of inlines) expect(run).toMatchObject({ type: 'TextRun', text: expect.any(String) as string });
    }
    expect(JSON.stringify(card.actions)).not.toContain('evil');
  });

  it.each([
    ['names', { ...started, artifact: { ...started.artifact!, name: '漢'.repeat(5_000) } }, 21],
    ['descriptions', { ...started, description: '"'.repeat(2_000) }, 21],
    ['one description', { ...started, description: '"'.repeat(40_000) }, 1],
  ])('stays below 28 KB however long %s are, and says how many events it leaves out', async (_what, told, most) => {
    const sent = { ...message, environment: 'e'.repeat(250), told: Array.from({ length: 20 }, () => told) };
    await send({ ...sent, counts: { ARTIFACT_STARTED: 30 } });
    const [{ body } = { body: '' }] = seen;
    expect(Buffer.byteLength(body)).toBeLessThan(28 * 1_024);
    const texts = textsOf(cardOf(body));
    const listed = texts.length - 2;
    expect(listed).toBeLessThan(most);
    expect(texts.at(-1)).toBe(`and ${30 - listed} more`);
  });

  it('is sent again when the workflow has too much to do, and its URL is not repeated', async () => {
    answer = { status: 429, headers: { 'retry-after': '7' } };
    const sent = await send();
    expect(sent).toEqual({ delivered: false, detail: expect.any(String) as string, retryAfter: '7' });
    expect(sent.detail).not.toMatch(/secret-signature|workflows/);
    answer = { status: 410 };
    expect(await send()).toMatchObject({ delivered: false, final: true });
  });
});
