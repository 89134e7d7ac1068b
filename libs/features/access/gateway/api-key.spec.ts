import { apiKeyOf } from './api-key';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the API key of a request', () => {
  it.each<[string, readonly string[], string | null]>([
    ['a bearer token', ['Bearer k1'], 'k1'],
    ['a bearer token, scheme in capitals', ['BEARER k1'], 'k1'],
    ['a bearer token, scheme in small letters', ['bearer k1'], 'k1'],
    ['several blanks after the scheme', ['Bearer   k1'], 'k1'],
    ['a bearer token with signs of base64', ['Bearer a+b/c=='], 'a+b/c=='],
    ['basic with an empty password', [basic('k1:')], 'k1'],
    ['basic with a password', [basic('k1:anything')], 'k1'],
    ['basic with colons in the password', [basic('k1:a:b:')], 'k1'],
    ['basic, scheme in small letters', [basic('k1:').replace('Basic', 'bAsIc')], 'k1'],
    ['basic with a key beyond ASCII', [basic('schlüssel:')], 'schlüssel'],
    ['nothing', [], null],
    ['an empty header', [''], null],
    ['two headers', ['Bearer k1', 'Bearer k1'], null],
    ['a bearer and a basic header', ['Bearer k1', basic('k1:')], null],
    ['a scheme alone', ['Bearer'], null],
    ['a scheme and a blank', ['Bearer '], null],
    ['a key alone', ['k1'], null],
    ['a bearer token with a blank inside', ['Bearer k1 k2'], null],
    ['two in one header', ['Bearer k1, Bearer k2'], null],
    ['another scheme', ['Digest k1'], null],
    ['basic without a colon', [basic('k1')], null],
    ['basic with an empty key', [basic(':password')], null],
    ['basic with a colon alone', [basic(':')], null],
    ['basic with nothing', ['Basic '], null],
    ['basic that is no base64', ['Basic !!!!'], null],
    ['basic with base64 for URLs', ['Basic Pz8_Pz8-Og=='], null],
    ['basic that needs no padding', [basic('ab:')], 'ab'],
    ['basic with missing padding', [basic('abc:').replace(/=+$/, '')], null],
    ['basic with text after its padding', [`${basic('abc:')}QQ==`], null],
  ])('%s', (_what, headers, key) => {
    expect(apiKeyOf(headers)).toBe(key);
  });
});
