import { createHmac } from 'node:crypto';
import { sha256 } from '@assurance/kernel';
import type { Identity } from './identity';
import {
  identityKey,
  sealOf,
  type SignedRequest,
  signIdentity,
  socketAddress,
  verifyIdentity,
} from './signed-identity';

const NOW = 1_763_700_000_000;
const SECRET = 'a secret of the whole installation';
const KEY = identityKey(SECRET);
const TO = ['10.0.0.1:8001'];
const ada: Identity = {
  org: { id: 'o1', name: 'acme' },
  principal: { id: 'p1', kind: 'user', name: 'Ada Löve', role: 'member' },
  holder: 'p2',
};
const request: SignedRequest = { method: 'PUT', url: '/api/v2/flows/acme?x=1', correlation: 'c1', hasBody: true };
const signed = signIdentity(KEY, ada, request, TO, NOW);

/** The header with a changed claim and the old signature. */
function changed(change: (claim: Record<string, unknown>) => void): string {
  const [text = '', signature = ''] = signed.split('.');
  const claim = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
  change(claim);
  return `${Buffer.from(JSON.stringify(claim)).toString('base64url')}.${signature}`;
}

describe('a signed identity', () => {
  it('says who calls, and which instance', () => {
    expect(verifyIdentity([KEY], signed, request, NOW)).toMatchObject({ identity: ada, to: TO });
  });

  it('is the same wherever the secret is', () => {
    expect(verifyIdentity([identityKey(SECRET)], signed, request, NOW)?.identity).toEqual(ada);
    expect(verifyIdentity([identityKey(`${SECRET}.`)], signed, request, NOW)).toBeNull();
  });

  it.each([
    ['another method', { method: 'DELETE' }],
    ['another path', { url: '/api/v2/flows/other?x=1' }],
    ['another query', { url: '/api/v2/flows/acme?x=2' }],
    ['another correlation id', { correlation: 'c2' }],
    ['no body', { hasBody: false }],
    ['parts shifted by a line', { method: 'PUT\n/api/v2/flows/acme?x=1', url: 'c1', correlation: '' }],
  ])('does not fit %s', (_what, other) => {
    expect(verifyIdentity([KEY], signed, { ...request, ...other }, NOW)).toBeNull();
  });

  it.each([
    ['its time', changed((claim) => (claim['at'] = NOW + 1))],
    ['its instance', changed((claim) => (claim['to'] = ['10.0.0.2:8001']))],
    ['its organization', changed((claim) => (claim['identity'] = { ...ada, org: { id: 'o2', name: 'acme' } }))],
    ['its role', changed((claim) => (claim['identity'] = { ...ada, principal: { ...ada.principal, role: 'admin' } }))],
    ['its signature', signed.slice(0, -4) + (signed.endsWith('AAAA') ? 'BBBB' : 'AAAA')],
    ['a signature cut short', signed.slice(0, -2)],
    ['no signature', signed.split('.')[0] ?? ''],
    ['an empty signature', `${signed.split('.')[0]}.`],
    ['a third part', `${signed}.x`],
    ['no text', `.${signed.split('.')[1]}`],
    ['nothing', ''],
    ['two headers in one', `${signed}, ${signed}`],
  ])('is nothing with %s changed', (_what, header) => {
    expect(verifyIdentity([KEY], header, request, NOW)).toBeNull();
  });

  it('holds for 30 seconds, either way', () => {
    expect(verifyIdentity([KEY], signed, request, NOW + 30_000)?.identity).toEqual(ada);
    expect(verifyIdentity([KEY], signed, request, NOW - 30_000)?.identity).toEqual(ada);
    expect(verifyIdentity([KEY], signed, request, NOW + 30_001)).toBeNull();
    expect(verifyIdentity([KEY], signed, request, NOW - 30_001)).toBeNull();
  });

  it('is believed under the previous secret as well, while there is one', () => {
    const next = identityKey('the next secret of the whole installation');
    expect(verifyIdentity([next, KEY], signed, request, NOW)?.identity).toEqual(ada);
    expect(verifyIdentity([next], signed, request, NOW)).toBeNull();
    expect(verifyIdentity([], signed, request, NOW)).toBeNull();
  });

  it('of the release before, which named no instance, still says who calls', () => {
    const output = Buffer.from(JSON.stringify({ at: NOW, id: 'x1', identity: ada })).toString('base64url');
    const { method, url, correlation } = request;
    const text = [output, method, url, correlation, 'body'].join('\n');
    const header = `${output}.${createHmac('sha256', KEY).update(text).digest('base64url')}`;
    const verified = verifyIdentity([KEY], header, request, NOW);
    expect([verified?.identity, verified?.to]).toEqual([ada, undefined]);
  });

  it('carries nothing but what is known of the caller', () => {
    const more = { ...ada, key: 'secret' };
    expect(verifyIdentity([KEY], signIdentity(KEY, more, request, TO, NOW), request, NOW)?.identity).toEqual(ada);
  });

  it('has an id of its own, and a seal for the body of its request alone', () => {
    const [left, right] = [signed, signIdentity(KEY, ada, request, TO, NOW)];
    const result = verifyIdentity([identityKey('next'), KEY], left, request, NOW);
    expect(verifyIdentity([KEY], right, request, NOW)?.id).not.toBe(result?.id);
    const digest = sha256('body');
    expect(result?.seal?.fits(digest, sealOf(KEY, left, digest))).toBe(true);
    expect(result?.seal?.fits(sha256('other'), sealOf(KEY, left, digest))).toBe(false);
    expect(result?.seal?.fits(digest, sealOf(KEY, right, digest))).toBe(false);
    expect(result?.seal?.fits(digest, sealOf(identityKey('next'), left, digest))).toBe(false);
    expect(result?.seal?.fits(digest, new Uint8Array())).toBe(false);
    const none = { ...request, hasBody: false };
    expect(verifyIdentity([KEY], signIdentity(KEY, ada, none, TO, NOW), none, NOW)?.seal).toBeNull();
  });
});

it.each([
  ['10.0.0.1', '10.0.0.1:8001'],
  ['::ffff:10.0.0.1', '10.0.0.1:8001'],
  ['fd00::1', '[fd00::1]:8001'],
])('names the socket %s:8001 as %s', (address, expectedName) => {
  expect(socketAddress(address, 8001)).toBe(expectedName);
});
