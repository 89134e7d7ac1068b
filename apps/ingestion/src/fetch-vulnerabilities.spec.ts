import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { holderOf } from '@assurance/access/lookups/named';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import { commitsOf } from '@assurance/event-sourcing/sealing/read';
import { type RoleUnderTest, startRole } from '@assurance/http/testing';
import { sha256 } from '@assurance/kernel';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { until } from '@assurance/testing/conformance/feed/listener';
import { failingSources, sources } from '@assurance/vulnerabilities/write/fetch/sources';
import { ingestion } from './role';

const HOUR_MS = 3_600_000;
const entry = (id: string) => JSON.stringify({ id, modified: '2024-01-02T00:00:00Z', details: 'x' });
const organizations = ['acme', 'other'].map((name) => ({ name, members: [], serviceAccounts: [] }));

describe('a scheduled fetch of vulnerabilities', () => {
  let opened: Awaited<ReturnType<typeof openTemporary>>;
  let server: Server;
  let url: string;
  let answer: RequestListener;
  const roles: RoleUnderTest[] = [];
  const requests: IncomingMessage[] = [];
  const warnings: { readonly fields: object; readonly message: string }[] = [];

  beforeEach(async () => {
    opened = await openTemporary();
    server = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm/all.json?token=planted`;
  });
  afterEach(async () => {
    for (const role of roles.splice(0)) await role.close();
    await opened.close();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    requests.length = 0;
    warnings.length = 0;
  });

  /** Starts a role; `everyMs` is the time between two reads, by default the shortest. */
  const start = async (everyMs = 0, targetNetworks = ['127.0.0.0/8'], names: readonly string[] = ['acme']) => {
    const notifying = { targetNetworks, smtp: null, slack: { apiUrl: 'http://slack.test', token: null }, keepDays: 90 };
    const settings = { notifying, vulnerabilitySources: { urls: [url], organizations: names, everyMs } };
    const onWarning = (fields: object, message: string) => warnings.push({ fields, message });
    const bootstrap = { kind: 'file', users: [], organizations } as const;
    roles.push(await startRole(ingestion, opened.engines, { bootstrap, settings, onWarning }));
  };
  const recorded = async (organization: string): Promise<string[]> => {
    const { documents, events } = opened.engines;
    const org = await holderOf(documents, NO_ORGANIZATION, 'account', organization);
    const types: string[] = [];
    for await (const commit of commitsOf(events, streams.vulnerabilities(org ?? '')))
      types.push(...commit.events.map(({ type }) => type));
    return types;
  };
  const imports = async (organization = 'acme') =>
    (await recorded(organization)).filter((type) => type === 'VulnerabilitiesImported').length;
  const source = () => opened.engines.documents.collection(sources).get(sha256(url));
  const failing = () => opened.engines.documents.collection(sources).count(failingSources(Date.now()));
  const serving =
    (text: string, etag: string): RequestListener =>
    ({ headers }, response) => {
      const isKnown = headers['if-none-match'] === etag;
      response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? undefined : text);
    };

  it('imports a file once for each organization, and again when it changed', async () => {
    answer = serving(entry('A-1'), '"one"');
    await start(0, undefined, ['acme', 'other']);
    await until(() => requests.filter(({ headers }) => headers['if-none-match'] === '"one"').length > 1);
    expect([await imports('acme'), await imports('other')]).toEqual([1, 1]);
    // Serves the same content with another version name.
    answer = serving(entry('A-1'), '"two"');
    await until(async () => (await source())?.etag === '"two"');
    expect(await imports()).toBe(1);
    answer = serving(`${entry('A-1')}\n${entry('A-2')}`, '"three"');
    await until(async () => (await imports('other')) === 2);
    await until(async () => (await source())?.etag === '"three"');
    expect([await imports('acme'), await failing(), warnings]).toEqual([2, 0, []]);
  });

  it('gives a file to an organization that is named later', async () => {
    answer = serving(entry('A-1'), '"one"');
    await start();
    await until(async () => (await source())?.etag === '"one"');
    for (const role of roles.splice(0)) await role.close();
    await start(0, undefined, ['acme', 'other']);
    await until(async () => (await imports('other')) === 1);
    expect(await imports('acme')).toBe(1);
  });

  it.each<readonly [string, RequestListener, string]>([
    ['no JSON', (_, response) => response.end('<html>'), 'It is no file of vulnerabilities: Input should be JSON'],
    ['a damaged zip file', (_, response) => response.end(`PK\u0003\u0004${'x'.repeat(40)}`), 'The zip file is damaged'],
    ['an error', (_, response) => response.writeHead(503).end(), 'it answered 503'],
    [
      'half a body',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write(entry('A-1'), () => response.destroy());
      },
      'it could not be read',
    ],
  ])('records nothing of %s, says so once, and tries again', async (_, broken, problem) => {
    answer = broken;
    await start();
    await until(() => requests.length > 2);
    expect(await source()).toMatchObject({ failing: true, problem: expect.stringContaining(problem) as string });
    expect([await recorded('acme'), await failing()]).toEqual([[], 1]);
    const { origin, pathname } = new URL(url);
    expect(warnings).toEqual([
      {
        fields: { source: `${origin}${pathname}`, problem: expect.stringContaining(problem) as string },
        message: expect.stringContaining('it is tried again. See ASSURANCE_VULNERABILITIES_URL') as string,
      },
    ]);
    answer = serving(entry('A-1'), '"one"');
    await until(async () => (await source())?.failing === false);
    expect([await imports(), await failing(), warnings.length]).toEqual([1, 0, 1]);
  });

  it('imports what can be read of a file, and says that the rest is missing', async () => {
    answer = serving(`${entry('A-1')}\n{"id": "A-2"}`, '"one"');
    await start();
    await until(async () => (await source())?.etag === '"one"');
    expect([await imports(), await failing()]).toEqual([1, 0]);
    const summary = expect.stringContaining('1 could not be read') as string;
    expect(warnings.map(({ fields }) => fields)).toEqual([expect.objectContaining({ summary })]);
  });

  it('asks no address that is not allowed, and nothing for an organization that is not there', async () => {
    answer = serving(entry('A-1'), '"one"');
    await start(HOUR_MS, []);
    await until(async () => (await source())?.failing === true);
    expect((await source())?.problem).toContain('the address 127.0.0.1 is not public');
    url = `${url}&of=nobody`;
    await start(HOUR_MS, undefined, ['nobody']);
    await until(async () => (await source())?.failing === true);
    expect((await source())?.problem).toBe("There is no organization 'nobody'");
    expect([requests.length, await failing()]).toEqual([0, 2]);
  });

  it('is done by one of several processes, and by none before it is due again', async () => {
    answer = serving(entry('A-1'), '"one"');
    await Promise.all([start(HOUR_MS), start(HOUR_MS), start(HOUR_MS)]);
    await until(async () => (await source())?.etag === '"one"');
    for (const role of roles.splice(0)) await role.close();
    // Each role looks for work before it closes.
    await start(HOUR_MS);
    for (const role of roles.splice(0)) await role.close();
    expect([requests.length, await imports()]).toEqual([1, 1]);
  });
});
