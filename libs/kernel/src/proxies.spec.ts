import { LOOPBACK, proxyFor } from './proxies';

const proxies = (direct: readonly string[]) => ({ http: 'http://plain:3128', https: 'http://secure:3128', direct });

describe('the proxy for a target', () => {
  it('is that of its scheme, or none', () => {
    expect(proxyFor(proxies([]), new URL('http://a.example'))).toBe('http://plain:3128');
    expect(proxyFor(proxies([]), new URL('https://a.example'))).toBe('http://secure:3128');
    expect(proxyFor({ ...proxies([]), https: null }, new URL('https://a.example'))).toBeNull();
  });

  it.each([
    ['https://hooks.example.com', '*'],
    ['https://hooks.example.com', 'hooks.example.com'],
    ['https://HOOKS.example.com', 'Example.COM'],
    ['https://hooks.example.com', '.example.com'],
    ['https://hooks.example.com', '*.example.com'],
    ['https://hooks.example.com', 'example.com:443'],
    ['http://hooks.example.com:8080', 'example.com:8080'],
    ['https://10.1.2.3', '10.0.0.0/8'],
    ['https://10.1.2.3', '10.1.2.3'],
    ['https://10.1.2.3:8443', '10.1.2.3:8443'],
    ['https://[fd00::5]', 'fd00::/8'],
    ['https://[fd00:0:0::5]', 'fd00::5'],
    ['https://[fd00::5]:8443', '[fd00::5]:8443'],
    ['http://localhost:9000', LOOPBACK[0]!],
    ['http://127.0.0.1:9000', LOOPBACK[1]!],
    ['http://[::1]:9000', LOOPBACK[2]!],
  ])('is none for %s with %s', (target, entry) => {
    expect(proxyFor(proxies(['other.example', entry]), new URL(target))).toBeNull();
  });

  it.each([
    ['https://hooks.example.com', 'ample.com'],
    ['https://hooks.example.com', 'a.hooks.example.com'],
    ['https://hooks.example.com', 'example.com:8443'],
    ['https://hooks.example.com', ''],
    ['https://hooks.example.com', '.'],
    ['https://11.1.2.3', '10.0.0.0/8'],
    ['https://[fe80::5]', 'fd00::/8'],
    ['https://10.1.2.3', '::/0'],
  ])('stays for %s with %s', (target, entry) => {
    expect(proxyFor(proxies([entry]), new URL(target))).toBe('http://secure:3128');
  });
});
