import { returnedHeaders, forwardedHeaders } from './headers';

describe('headers', () => {
  it('keep keys, forged identities and what holds for one connection from the service', () => {
    expect(
      forwardedHeaders({
        host: 'assurance.example.com',
        authorization: 'Bearer secret',
        cookie: 'a=b',
        'x-assurance-identity': 'forged',
        connection: 'keep-alive, X-Hop',
        'x-hop': '1',
        'keep-alive': 'timeout=5',
        'transfer-encoding': 'chunked',
        te: 'trailers',
        upgrade: 'h2c',
        expect: '100-continue',
        'content-type': 'application/json',
        'if-none-match': '"1"',
      }),
    ).toEqual({ 'content-type': 'application/json', 'if-none-match': '"1"' });
  });

  it('reach the caller but for those of the connection', () => {
    expect(
      returnedHeaders({
        connection: 'close',
        'transfer-encoding': 'chunked',
        'x-total-count': '3',
        'set-cookie': ['a', 'b'],
      }),
    ).toEqual({ 'x-total-count': '3', 'set-cookie': ['a', 'b'] });
  });
});
