import { readConfig } from './config';

const read = (env: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}) =>
  readConfig(env, (path) => files[path] ?? '');
function proxies(...values: Parameters<typeof read>) {
  const result = read(...values);
  if (!result.ok) throw new Error(result.refusal);
  expect(result.value.warnings).toEqual([]);
  return result.value.config.proxies;
}

const LOOPBACK = ['localhost', '127.0.0.0/8', '::1'];

describe('proxies on the way out', () => {
  it.each(['HTTPS_PROXY', 'https_proxy', 'ASSURANCE_HTTPS_PROXY'])('for https come from %s', (name) => {
    const expected = { http: null, https: 'http://proxy.example.com:3128', direct: LOOPBACK };
    expect(proxies({ [name]: 'http://proxy.example.com:3128' })).toEqual(expected);
    expect(proxies({ [name]: 'proxy.example.com:3128' })).toEqual(expected);
  });

  it.each(['HTTP_PROXY', 'http_proxy', 'ASSURANCE_HTTP_PROXY'])('for http come from %s', (name) => {
    const url = 'https://user:p%40ss@proxy.example.com';
    expect(proxies({ [name]: url })).toEqual({ http: url, https: null, direct: LOOPBACK });
  });

  it.each(['NO_PROXY', 'no_proxy', 'ASSURANCE_NO_PROXY'])('do not concern what %s names', (name) => {
    expect(proxies({ [name]: '.example.com, 10.0.0.0/8,,' }).direct).toEqual(['.example.com', '10.0.0.0/8']);
    expect(proxies({ [name]: '' }).direct).toEqual(LOOPBACK);
  });

  it('are ours first, then those in small letters', () => {
    const env = { HTTPS_PROXY: 'http://c', https_proxy: 'http://b', ASSURANCE_HTTPS_PROXY: 'http://a' };
    expect(proxies(env).https).toBe('http://a');
    expect(proxies({ ...env, ASSURANCE_HTTPS_PROXY: '' }).https).toBe('http://b');
  });

  it('may be in the configuration, or in a file of their own', () => {
    const files = { c: 'ASSURANCE_HTTPS_PROXY: http://a:1\nASSURANCE_NO_PROXY: "*"\n', p: 'http://b:1\n' };
    expect(proxies({ ASSURANCE_CONFIG_FILE: 'c' }, files)).toEqual({ http: null, https: 'http://a:1', direct: ['*'] });
    expect(proxies({ ASSURANCE_HTTP_PROXY_FILE: 'p' }, files).http).toBe('http://b:1');
  });

  it.each([
    ['HTTPS_PROXY', 'socks5://user:hush-hush@proxy:1080', /^HTTPS_PROXY has \d+ characters \(not shown\), but must be/],
    ['http_proxy', 'http://proxy/hush-hush', /^http_proxy has/],
    ['ASSURANCE_HTTP_PROXY', 'http://:hush-hush', /^ASSURANCE_HTTP_PROXY has/],
    ['NO_PROXY', 'a b', /^NO_PROXY is "a b", but must be names/],
  ])('refuse %s=%s', (name, value, sentence) => {
    const result = read({ [name]: value });
    expect(result.ok ? '' : result.refusal).toMatch(sentence);
    expect(result.ok ? '' : result.refusal).not.toContain('hush-hush');
  });
});
