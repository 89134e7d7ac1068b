import { ambiguityOf } from './ambiguity';

/** A request with these headers, as Node reads them. */
const request = (lines: readonly (readonly [string, string])[], httpVersion = '1.1') => ({
  httpVersion,
  rawHeaders: lines.flat(),
  headers: Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value])),
});
const host = ['Host', 'localhost'] as const;

describe('a request', () => {
  it.each<[string, ReturnType<typeof request>]>([
    ['one Host', request([host])],
    ['no Host in HTTP/1.0', request([], '1.0')],
    ['chunks', request([host, ['transfer-encoding', 'Chunked']])],
    ['codings that it takes', request([host, ['TE', 'trailers, deflate;q=0.5, gzip ; q=1.000,compress']])],
    ['the codings of an old client', request([host, ['TE', 'deflate,gzip;q=0.3']])],
    ['no codings', request([host, ['TE', '']])],
  ])('with %s is clear', (_, input) => {
    expect(ambiguityOf(input)).toBeNull();
  });

  it.each<[string, ReturnType<typeof request>, RegExp]>([
    ['two Hosts', request([host, ['HOST', 'localhost']]), /'Host' was sent 2 times/],
    ['no Host', request([]), /'Host' is missing/],
    ['HTTP/0.9', request([host], '0.9'), /^HTTP\/0.9 is not supported/],
    ['HTTP/2.0', request([host], '2.0'), /^HTTP\/2.0 is not supported/],
    ['another coding', request([host, ['Transfer-Encoding', 'gzip, chunked']]), /it says 'gzip, chunked'/],
    ['chunks twice', request([host, ['Transfer-Encoding', 'chunked, chunked']]), /'Transfer-Encoding' may say/],
    ['no coding', request([host, ['Transfer-Encoding', 'identity']]), /'Transfer-Encoding' may say/],
    ['chunks in HTTP/1.0', request([host, ['Transfer-Encoding', 'chunked']], '1.0'), /HTTP\/1.0 has no/],
    ['codings with chunks', request([host, ['TE', 'trailers, chunked']]), /'TE' may list/],
    ['codings without end', request([host, ['TE', 'gzip,'.repeat(1_000)]]), /'TE' may list/],
    ['codings that are none', request([host, ['TE', '\u000bchunked']]), /'TE' may list/],
  ])('with %s is not', (_, input, message) => {
    expect(ambiguityOf(input)).toMatch(message);
  });
});
