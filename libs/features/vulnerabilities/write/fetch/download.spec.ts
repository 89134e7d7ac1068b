import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressRule } from '@assurance/http/outgoing/addresses';
import { OutgoingConnections } from '@assurance/http/outgoing/outgoing';
import { download, type FileVersion } from './download';

const NEVER = new AbortController().signal;
const AT = 'Mon, 01 Jan 2024 00:00:00 GMT';

describe('a download', () => {
  let folder: string;
  let server: Server;
  let answer: RequestListener;
  let url: URL;
  const outgoing = new OutgoingConnections(addressRule(['127.0.0.0/8']), 30_000);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assurance-'));
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/osv/npm.zip?token=planted`);
  });
  afterAll(async () => {
    await outgoing.close();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    rmSync(folder, { recursive: true });
  });

  let number = 0;
  const get = async (
    before: FileVersion | null = null,
    bounds = { bytes: 1_000, ms: 60_000 },
    by = outgoing,
    stopped = NEVER,
  ) => {
    const path = join(folder, String((number += 1)));
    const file = await download(by, url, path, before, bounds, stopped);
    await file?.handle.close();
    return file === null ? null : { text: readFileSync(path, 'utf8'), version: file.version };
  };

  it('gives a file with its version, and none that is there already', async () => {
    const requests: (string | undefined)[] = [];
    answer = ({ headers, url: path }, response) => {
      requests.push(path, headers['if-none-match'], headers['if-modified-since']);
      const isKnown = headers['if-none-match'] === '"1"' || headers['if-modified-since'] === AT;
      response.writeHead(isKnown ? 304 : 200, { etag: '"1"', 'last-modified': AT });
      response.end(isKnown ? undefined : 'content');
    };
    const version = { etag: '"1"', lastModified: AT };
    expect(await get()).toEqual({ text: 'content', version });
    expect(await get(version)).toBeNull();
    expect(await get({ etag: null, lastModified: AT })).toBeNull();
    expect(await get({ etag: '"0"', lastModified: AT })).toEqual({ text: 'content', version });
    expect(await get({ etag: null, lastModified: null })).toEqual({ text: 'content', version });
    const path = '/osv/npm.zip?token=planted';
    expect(requests).toEqual([
      path,
      undefined,
      undefined,
      path,
      '"1"',
      undefined,
      path,
      undefined,
      AT,
      path,
      '"0"',
      undefined,
      path,
      undefined,
      undefined,
    ]);
  });

  it.each<readonly [string, RequestListener, string]>([
    ['is not there', (_, response) => response.writeHead(404).end(), 'it answered 404'],
    [
      'is elsewhere',
      (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'it answered 302: redirects are not followed',
    ],
    ['was not asked for', (_, response) => response.writeHead(304).end(), 'it answered 304'],
    ['is too large', (_, response) => response.end('x'.repeat(1_001)), 'it has more than 1000 bytes'],
    [
      'breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('begin', () => response.destroy());
      },
      'it could not be read',
    ],
  ])('is refused if the file %s', async (_, listener, problem) => {
    answer = listener;
    await expect(get()).rejects.toThrow(problem);
    await expect(get()).rejects.not.toThrow('planted');
  });

  it('ends after its time, and when it is stopped', async () => {
    const begun = () =>
      new Promise<void>((resolve) => {
        answer = (_, response) => void response.write('begin', () => resolve());
      });
    void begun();
    await expect(get(null, { bytes: 1_000, ms: 100 })).rejects.toThrow('it took longer than 0.1 s');
    const [writing, stop] = [begun(), new AbortController()];
    const stopped = get(null, undefined, outgoing, stop.signal);
    void writing.then(() => stop.abort());
    await expect(stopped).rejects.toThrow('abort');
  });

  it('never connects to an address that is not allowed', async () => {
    let requests = 0;
    answer = (_, response) => void response.end(String((requests += 1)));
    const guarded = new OutgoingConnections(addressRule([]), 30_000);
    await expect(get(null, undefined, guarded)).rejects.toThrow('the address 127.0.0.1 is not public');
    const outgoing = new OutgoingConnections(addressRule([]), 30_000, (_, __, done) =>
      done(null, [{ address: '10.0.0.1', family: 4 }]),
    );
    const path = join(folder, 'named');
    const request = download(
      outgoing,
      new URL('https://osv.example.com/a'),
      path,
      null,
      { bytes: 1, ms: 60_000 },
      NEVER,
    );
    await expect(request).rejects.toThrow('the address 10.0.0.1 is not public');
    await guarded.close();
    await outgoing.close();
    expect(requests).toBe(0);
  });
});
