import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Message } from '../../domain/message';
import type { Job, Tools } from '../channel';
import type { SendResult } from '../send-result';
import { email } from './email';
import { type Mailer, openMailer } from './mailer';

const message: Message = {
  org: 'acme',
  notification: 'alerts',
  environment: 'production',
  at: 1_700_000_889_500,
  snapshot: { index: 42, compliant: false },
  told: [],
  counts: { NON_COMPLIANT_ENV: 1 },
};
const LIST = 'ops@example.com, gone@example.com,Later@b\u00fccher.example';

describe('mail to several recipients', () => {
  const actual: string[][] = [];
  /** What the server answers to a recipient, by address. */
  const refusals = new Map<string, [number, string]>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const [responseCode, fields] = refusals.get(address) ?? [];
      done(fields === undefined ? null : Object.assign(new Error(fields), { responseCode }));
    },
    onData(stream, session, done) {
      stream.resume().on('end', () => {
        actual.push(session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  let mailer: Mailer;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;
    mailer = openMailer({ url: `smtp://127.0.0.1:${port}`, from: 'assurance@example.com' });
  });
  beforeEach(() => {
    actual.length = 0;
    refusals.clear();
  });
  afterAll(async () => {
    await mailer.close();
    await new Promise<void>((resolve) => server.close(resolve));
  });

  const send = (settled: Job['settled'] = {}, emails = LIST): Promise<SendResult> =>
    email.send(
      {
        id: 'd1',
        message,
        site: { publicUrl: 'https://a.example', org: 'acme' },
        fields: { emails },
        signing: [],
        settled,
        now: 1,
      },
      { mailer } as unknown as Tools,
    );
  const GONE: [number, string] = [550, '5.1.1 no such user'];
  const LATER = 'Later@b\u00fccher.example';

  it('is sent once where all are accepted', async () => {
    expect(await send()).toMatchObject({ delivered: true });
    expect(actual).toEqual([['ops@example.com', 'gone@example.com', LATER]]);
  });

  it('names the one that is refused for good, and ends as failed', async () => {
    refusals.set('gone@example.com', GONE);
    const sent = await send();
    expect(sent).toMatchObject({
      delivered: false,
      final: true,
      detail: expect.stringMatching(
        /^gone@example\.com was refused: 550 .*no such user; delivered to ops@example\.com, /,
      ),
      settled: { 'ops@example.com': null, 'gone@example.com': expect.stringContaining('no such user'), [LATER]: null },
    });
    expect(actual).toEqual([['ops@example.com', LATER]]);
  });

  it('is repeated only for the recipient that is refused for now', async () => {
    refusals.set('gone@example.com', GONE).set(LATER, [451, '4.7.1 greylisted']);
    const first = await send();
    expect(first).toMatchObject({
      delivered: false,
      reachable: true,
      detail: expect.stringMatching(
        /^gone@example\.com was refused.*; Later@b\u00fccher\.example is tried again: 451 /,
      ),
    });
    expect(first).not.toHaveProperty('final');
    refusals.delete(LATER);
    const second = await send(first.settled);
    expect(actual).toEqual([['ops@example.com'], [LATER]]);
    expect(second).toMatchObject({
      delivered: false,
      final: true,
      detail: expect.stringMatching(/^gone@example\.com was/),
    });
  });

  it('is delivered once the last one got it', async () => {
    refusals.set(LATER, [451, 'greylisted']);
    const first = await send({}, `ops@example.com,${LATER}`);
    refusals.clear();
    expect(await send(first.settled, `ops@example.com,${LATER}`)).toMatchObject({ delivered: true });
    expect(actual).toEqual([['ops@example.com'], [LATER]]);
  });

  it('is final where all are refused for good, and not where some are refused for now', async () => {
    for (const address of ['ops@example.com', 'gone@example.com', LATER]) refusals.set(address, GONE);
    expect(await send()).toMatchObject({ delivered: false, final: true });
    refusals.set(LATER, [451, 'greylisted']);
    const sent = await send();
    expect(sent).toMatchObject({ delivered: false, settled: { 'ops@example.com': expect.any(String) as unknown } });
    expect([sent.settled?.[LATER], 'final' in sent, actual]).toEqual([undefined, false, []]);
  });

  it('is not sent again to recipients that accepted it', async () => {
    const settled = { 'ops@example.com': null };
    await send(settled, 'ops@example.com');
    expect(actual).toEqual([]);
  });
});
