const header = (description: string, type: 'string' | 'integer' | 'number', example: unknown) => ({
  description,
  schema: { type },
  example,
});

/** Headers of answers. They are components of the document, by name. */
export const headers = {
  'X-Request-Id': header(
    'The id of this request, also in logs: the caller’s if it sent one.',
    'string',
    '018bcfe5-6800-7000-8000-000000000004',
  ),
  'X-Assurance-Behind': header(
    'By how many seconds the list is behind; only if it lacks the newest writes.',
    'number',
    2.5,
  ),
  'X-Total-Count': header(
    'How many match, on all pages. Lists of environments and of flows without a page have it only if they were cut.',
    'integer',
    1200,
  ),
  'X-Assurance-Verdict': header(
    'The verdict for a gate, and what it is about: `compliant`, `non-compliant`, `not-judged` where nothing judges, or `not-recorded` with 404 where nobody recorded the artifact; then `sha256`, and `environment`, `flow` and each `policy` as the request names them. Only `compliant` is a yes.',
    'string',
    'compliant; sha256=fae2b59f6e8a4a8f3f5f2a5d2b7d0f7e3c9a1b6d4e8f0a2c5b7d9e1f3a6c8b0d; environment=production',
  ),
  'Retry-After': header('Seconds until the request may be repeated.', 'integer', 2),
  'RateLimit-Limit': header('How many requests the caller may make in a minute.', 'integer', 600000),
  'RateLimit-Remaining': header('How many of them are left.', 'integer', 599999),
  'RateLimit-Reset': header('Seconds until the next minute begins.', 'integer', 30),
  'WWW-Authenticate': header(
    'How to send a key.',
    'string',
    'Bearer realm="assurance", Basic realm="assurance", charset="UTF-8"',
  ),
  'Content-Disposition': header('The name of the file.', 'string', 'attachment; filename="evidence.tar"'),
  Link: header(
    'The first page and the neighbours of this one (RFC 8288), if the body has no links. Left out beyond 8192 bytes.',
    'string',
    '<https://assurance.example.com/api/v2/trails/acme?page=2&per_page=20&after=WzE3MDAwMDAwMDAsImJ1aWxkLTciXQ>; rel="next"',
  ),
  Allow: header('The methods of this path.', 'string', 'GET, HEAD'),
  'Set-Cookie': header(
    'The cookie of the session, or its removal. Scripts cannot read it.',
    'string',
    '__Host-assurance_session=v1.9f86d081.q83vASNFZ4k; Path=/; HttpOnly; Secure; SameSite=Lax',
  ),
  Location: header('The address, relative to the request.', 'string', 'doc/'),
};

export type HeaderName = keyof typeof headers;
