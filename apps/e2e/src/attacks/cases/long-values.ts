import { keyOf } from '../../support/declared';
import { exchange } from '../../support/exchange';
import { artifact, digest, flow } from '../../support/samples';
import type { Attack } from '../attack';

/** As long as one header and a path may be, and longer. */
const LENGTHS = [8_000, 15_500];
const ABREAST = 8;
/** Texts that readers of headers and paths split at, trim or decode. */
const PIECES = ['\t', ' ', '.', ',', ';', '%25', '\\', '/', ', ;'];
const HEADERS = [
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-type',
  'cookie',
  'expect',
  'host',
  'if-none-match',
  'last-event-id',
  'mcp-session-id',
  'origin',
  'prefer',
  'referer',
  'sec-fetch-site',
  'te',
  'traceparent',
  'user-agent',
  'x-assurance-identity',
  'x-assurance-page',
  'x-forwarded-for',
  'x-request-id',
];
const PLACES = ['/', '/api/v2/', '/api/v2/environments/acme/', '/api/v2/repos/acme/', '/api/v2/doc/', '/schemas/'];
const READ = '/api/v2/environments/acme';
const ROUTES = [
  ['GET', '/schemas/policy/v1'],
  ['GET', READ],
  ['PUT', '/api/v2/environments/acme/none/report/docker'],
] as const;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A text of equal pieces between two letters, which no reader trims at once. */
function valueOf(piece: string, length: number): string {
  return `a${piece.repeat(length / piece.length)}b`;
}

function* requests(): Generator<Sent> {
  for (const [piece, length] of PIECES.flatMap((each) => LENGTHS.map((most) => [each, most] as const))) {
    const value = valueOf(piece, length);
    for (const [method, path] of ROUTES) for (const name of HEADERS) yield { method, path, headers: { [name]: value } };
    const text = value.replaceAll('\t', '%09').replaceAll(' ', '%20').slice(0, length);
    for (const place of PLACES) yield { method: 'GET', path: place + text, headers: {} };
    for (const start of [`${READ}?`, `${READ}?name=`]) yield { method: 'GET', path: start + text, headers: {} };
  }
}

/** Each header and path that is read with a long value: tabs in `TE` and in `Accept-Encoding` once held the main thread for 0.14 s, without a key. */
export const attack: Attack = {
  name: 'one header, path or address of a repository is long and of equal characters',
  onServices: true,
  prepare: async ({ as, url }) => {
    const member = as('member');
    const name = await flow(member);
    const own = { authorization: `Bearer ${keyOf('member')}` };
    const report = async (repo_url: string, status: number) => {
      const json = artifact(digest(`long ${repo_url}`), { repo_info: undefined, repo_url });
      await member.expect(status, 'POST', `/artifacts/acme/${name}`, { json });
    };
    const run = async () => {
      const all = requests();
      const caller = async () => {
        for (const { method, path, headers } of all) {
          const { status } = await exchange(url, { method, path, headers: { ...own, ...headers } });
          if (status >= 500) throw new Error(`${method} ${path.slice(0, 50)} was answered ${status}`);
        }
      };
      await Promise.all(Array.from({ length: ABREAST }, caller));
      for (const piece of ['.', ' ', '/', '@', ':', '\\']) {
        await report(valueOf(piece, 2_046), 201);
        await report(valueOf(piece, 8_190), 400);
      }
    };
    return { run };
  },
};
