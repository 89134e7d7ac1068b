// Gates of pipelines in front of services that answer something else than a yes. apps/e2e/src/pipeline-gates.spec.ts asks the real service.
import type { ServerResponse } from 'node:http';
import { allGates, type GateInputs, SCRIPTS } from '../support/gates';
import { nobody, pretend } from '../support/pretend';

const fingerprint = '1f'.repeat(32);
const subject = `sha256=${fingerprint}; environment=prod`;
const BODY = JSON.stringify({ compliant: true, is_judged: true, flows: [{ compliant: true }] });

type Headers = Readonly<Record<string, string | readonly string[]>>;
const headersOf = (headers: Headers) => ({ ...headers }) as Record<string, string>;
const yes: Headers = { 'X-Assurance-Verdict': `compliant; ${subject}` };
const verdict = (text: string): Headers => ({ 'X-Assurance-Verdict': text });
/** Answers with this. */
const answering =
  (status: number, headers: Headers, body: string = BODY) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headersOf(headers)).end(body);

/** Sends the text as it is, and closes the connection. */
const raw = (text: string) => (response: ServerResponse) => void response.socket?.end(text);
const HEAD = `HTTP/1.1 200 OK\r\nX-Assurance-Verdict: compliant; ${subject}\r\n`;

describe.each(allGates())('$name', ({ run }) => {
  const runBefore = async (answer: (response: ServerResponse) => void, inputs: Partial<GateInputs> = {}) => {
    const service = await pretend((_request, response) => answer(response));
    try {
      const result = await run({ url: service.url, fingerprint, environment: 'prod', ...inputs });
      return { ...result, requests: service.requests.map(({ url }) => url) };
    } finally {
      service.stop();
    }
  };

  it.each([
    ['a yes', answering(200, yes)],
    ['a yes with its header in lower case', answering(200, { 'x-assurance-verdict': `compliant; ${subject}` })],
    ['a yes without a space after the colon', raw(`${HEAD.replace(': c', ':c')}Content-Length: 2\r\n\r\n{}`)],
    [
      'a yes after an interim answer',
      raw(`HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n${HEAD}Content-Length: 2\r\n\r\n{}`),
    ],
  ])('goes on after %s', async (_, answer) => {
    expect(await runBefore(answer)).toMatchObject({ code: 0, out: 'The artifact is compliant.\n' });
  });

  it.each([
    ['a body that says yes without the header', answering(200, {})],
    ['a refusal', answering(200, verdict(`non-compliant; ${subject}`))],
    [
      'a refusal whose flow complies',
      answering(200, verdict(`non-compliant; ${subject}`), '{"flows":[{"compliant":true}],"compliant":false}'),
    ],
    ['a yes to another artifact', answering(200, verdict(`compliant; sha256=${'2e'.repeat(32)}; environment=prod`))],
    [
      'a yes to another environment',
      answering(200, verdict(`compliant; sha256=${fingerprint}; environment=production`)),
    ],
    ['a yes to a flow of that name', answering(200, verdict(`compliant; sha256=${fingerprint}; flow=prod`))],
    ['a yes to a narrower question', answering(200, verdict(`compliant; ${subject}; flow=web`))],
    ['two verdicts', answering(200, { 'X-Assurance-Verdict': [`compliant; ${subject}`, `non-compliant; ${subject}`] })],
    [
      'a verdict in an interim answer alone',
      raw(`${HEAD.replace('200 OK', '103 Early Hints')}\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`),
    ],
    ['an environment that nothing judges', answering(200, verdict(`not-judged; ${subject}`))],
    ['the login page of a proxy', answering(200, { 'content-type': 'text/html' }, `<html>"compliant":true</html>`)],
    ['the login page of a proxy that keeps headers', answering(200, yes, `<html>"compliant":true</html>`)],
    ['an empty answer', answering(200, yes, '')],
    ['a redirect with a yes in its body', answering(302, { ...yes, location: '/elsewhere' })],
    ['201', answering(201, yes)],
    ['204', answering(204, yes, '')],
    ...[400, 401, 403, 404, 501].map((status) => [`${status}`, answering(status, yes)] as const),
    ['half an answer', raw(`${HEAD}Content-Length: 400\r\n\r\n${BODY}`)],
    ['half an answer in chunks', raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\n400\r\n${BODY}`)],
    ['half an answer of unknown length', raw(`${HEAD}Connection: close\r\n\r\n${BODY.slice(0, 30)}`)],
    ['a connection that ends', raw('')],
  ] as const)('stops after %s', async (_, answer) => {
    expect(await runBefore(answer)).toMatchObject({ code: 1, out: expect.stringContaining('may not go on') as string });
  });

  it('asks again after 429, 500 and 503, and stops when there is no yes in time', async () => {
    const results = await Promise.all(
      [429, 500, 503].map((status) => runBefore(answering(status, { ...yes, 'retry-after': '1' }))),
    );
    expect(results.map(({ code, requests }) => [code, requests.length])).toEqual([
      [1, 4],
      [1, 4],
      [1, 4],
    ]);
  });

  it('goes on where a later try is answered with a yes, and stops where only an earlier one had the header', async () => {
    const first = async (headers: Headers, later: Headers) => {
      let count = 0;
      return (
        await runBefore((response) => (count++ === 0 ? answering(503, headers) : answering(200, later))(response))
      ).code;
    };
    expect(await first({}, yes)).toBe(0);
    expect(await first(yes, {})).toBe(1);
  });

  it('stops when no answer comes, or none that ends', async () => {
    const endless = (response: ServerResponse) => void response.writeHead(200, headersOf(yes)).write('{');
    const results = await Promise.all([runBefore(() => {}, { maxSeconds: 3 }), runBefore(endless, { maxSeconds: 3 })]);
    expect(results).toMatchObject([
      { code: 1, requests: [expect.any(String)] },
      { code: 1, requests: [expect.any(String)] },
    ]);
    expect((await run({ url: await nobody(), fingerprint, environment: 'prod', maxSeconds: 1 })).code).toBe(1);
  });

  it('asks nobody without exactly one environment or flow, or about what is no fingerprint or organization', async () => {
    for (const inputs of [
      { environment: '' },
      { environment: 'prod', flow: 'web' },
      { fingerprint: '' },
      { fingerprint: 'sha256:' },
      { fingerprint: '1f' },
      { fingerprint: `${fingerprint}0` },
      { fingerprint: `../${fingerprint}`.slice(0, 64) },
      { fingerprint: `${fingerprint.slice(0, 60)}?a=b` },
      { fingerprint: `${fingerprint}\n${fingerprint}` },
      { organization: '' },
      { organization: '..' },
      { organization: 'acme/../other' },
      { organization: 'acme?x' },
    ]) {
      const result = await runBefore(answering(200, yes), inputs);
      expect({ inputs, code: result.code, requests: result.requests }).toEqual({ inputs, code: 1, requests: [] });
    }
  });

  it('asks about exactly the artifact, in the form of the service, and with encoded names', async () => {
    const upper = `SHA256:${fingerprint.toUpperCase()}`;
    const { code, requests } = await runBefore(answering(200, yes), { fingerprint: upper });
    expect([code, requests]).toEqual([0, [`/api/v2/asserts/acme/fingerprint/${fingerprint}?environment_name=prod`]]);
    const odd = await runBefore(answering(200, yes), { environment: '', flow: 'a&environment_name=prod #@' });
    expect(odd.code).toBe(1);
    expect(odd.requests[0]).toMatch(/\?flow_name=a%26environment_name%3Dprod(%20|\+)%23%40$/i);
  });

  it('lets what nothing judges go on where that is set, and nothing else', async () => {
    const allowed = async (text: string) =>
      (await runBefore(answering(200, verdict(text)), { allowUnjudged: true })).code;
    expect(await allowed(`not-judged; ${subject}`)).toBe(0);
    expect(await allowed(`compliant; ${subject}`)).toBe(0);
    expect(await allowed(`non-compliant; ${subject}`)).toBe(1);
    expect(await allowed(`not-judged; sha256=${fingerprint}; flow=prod`)).toBe(1);
  });

  it('shows what the service says, in one line', async () => {
    const { out } = await runBefore(answering(404, {}, '{"message":\n"::set-env::"}'));
    expect(out).toContain('The service answers 404  {"message": "::set-env::"}\n');
  });
});

it('is the same script for all gates', () => {
  expect(SCRIPTS.action.length).toBeGreaterThan(1000);
  expect([SCRIPTS.component, SCRIPTS.documented]).toEqual([SCRIPTS.action, SCRIPTS.action]);
});
