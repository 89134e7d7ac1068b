import { LOOPBACK, err, ok, type Proxies } from '@assurance/kernel';
import { isWeb, type ReadSetting, texts, type Variable } from './variables';

const RULE =
  'must be the URL of a proxy such as http://proxy.example.com:3128, with user:password@ where it needs them';

/** The URL of a proxy. As in other programs, a text without a scheme gets `http`. */
const proxy: Variable<string | null> = {
  fallback: null,
  secret: true,
  read: (input) => {
    const text = input.includes('://') ? input : `http://${input}`;
    const url = URL.parse(text);
    const right = url !== null && isWeb(url) && url.pathname === '/' && url.search === '' && url.hash === '';
    return right ? ok(text) : err(RULE);
  },
};

const directHosts = texts(
  null,
  'must be names, addresses and networks, with commas between',
  (item) => !/\s/.test(item),
);

/** Reads the proxies. Our own settings win over the standard variables; lower-case names of these win over upper-case names. */
export function proxiesOf(read: ReadSetting): Proxies {
  const first = <Value>(names: readonly string[], variable: Variable<Value | null>): Value | null =>
    // Reads all of them, so that each wrong value is refused and no name is reported as unknown.
    names.map((name) => read(name, variable)).find((value) => value !== null) ?? null;
  const listedHosts = first(['ASSURANCE_NO_PROXY', 'no_proxy', 'NO_PROXY'], directHosts);
  return {
    http: first(['ASSURANCE_HTTP_PROXY', 'http_proxy', 'HTTP_PROXY'], proxy),
    https: first(['ASSURANCE_HTTPS_PROXY', 'https_proxy', 'HTTPS_PROXY'], proxy),
    direct: listedHosts?.filter((entry) => entry !== '') ?? LOOPBACK,
  };
}
