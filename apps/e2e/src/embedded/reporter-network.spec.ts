import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { OutgoingProxy } from '@assurance/testing/outgoing-proxy';
import { makeCertificates } from '../support/certificates';
import { BOOTSTRAP, keyOf } from '../support/declared';
import { Place, type Process } from '../support/process';

const LIMIT_MS = 120_000;
const KEY = keyOf('admin');

describe('the reporter behind a proxy, of a service with a certificate of a private authority', () => {
  let place: Place;
  let proxy: OutgoingProxy;
  beforeEach(async () => {
    place = new Place();
    proxy = await OutgoingProxy.start();
  });
  afterEach(async () => {
    await proxy.stop();
    await place.clear();
  });

  /** The result of a reporter of one file. */
  async function reported(settings: object, env: Readonly<Record<string, string>> = {}) {
    const config = place.write('reporter.yaml', JSON.stringify({ organization: 'acme', create: true, ...settings }));
    const reporter: Process = place.start({ ...env, REPORTER_API_KEY: KEY }, [], 'reporter', ['--config', config]);
    const code = await reporter.ended;
    return { code, printed: `${reporter.out}${reporter.err}` };
  }

  it(
    'reports through the proxy alone, trusts the authority that it is given, and else sends nothing',
    async () => {
      const { ca, server } = makeCertificates(join(place.folder, 'tls'));
      const service = place.start({
        ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
        ASSURANCE_TLS_CERTIFICATE_FILE: server,
        ASSURANCE_TLS_KEY_FILE: server,
      });
      const { port } = new URL(await service.url());
      const url = `https://localhost:${port}`;
      const file = place.write('program', 'what runs');
      const configOf = (environment: string) => ({
        url,
        retrySeconds: 1,
        environments: [{ environment, kind: 'server', artifacts: { program: { path: file } } }],
      });
      const statusOf = async (environment: string) => {
        const headers = { authorization: `Bearer ${KEY}` };
        const path = `${url}/api/v2/snapshots/acme/${environment}/1`;
        const [answer] = (await once(request(path, { ca: readFileSync(ca), headers }).end(), 'response')) as [
          IncomingMessage,
        ];
        const body = (await json(answer)) as { artifacts?: readonly { readonly name: string }[] };
        return [answer.statusCode, body.artifacts?.map(({ name }) => name)];
      };

      const through = await reported({ ...configOf('through'), proxy: proxy.url, caFile: ca });
      expect(through).toMatchObject({ code: 0 });
      expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT localhost:${port}`]));
      expect(await statusOf('through')).toEqual([200, ['program']]);

      proxy.requests.length = 0;
      const variable = await reported({ ...configOf('variable'), caFile: ca }, { HTTPS_PROXY: proxy.url });
      expect(variable).toMatchObject({ code: 0 });
      expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT localhost:${port}`]));

      proxy.requests.length = 0;
      const direct = await reported({ ...configOf('direct'), proxy: proxy.url, caFile: ca }, { NO_PROXY: 'localhost' });
      expect([direct.code, proxy.requests]).toEqual([0, []]);
      expect(await statusOf('direct')).toEqual([200, ['program']]);

      const untrusted = await reported({ ...configOf('untrusted'), proxy: proxy.url });
      expect(untrusted.code).toBe(1);
      expect(untrusted.printed).toMatch(/certificate/i);
      expect(await statusOf('untrusted')).toEqual([404, undefined]);

      const login = proxy.url.replace(proxy.password, 'planted-wrong-login');
      const refused = await reported({ ...configOf('refused'), proxy: login, caFile: ca });
      expect(refused.code).toBe(1);
      expect(refused.printed).toMatch(/407|proxy/i);
      expect([refused, through].map(({ printed }) => /planted-/.test(printed))).toEqual([false, false]);
      expect(await statusOf('refused')).toEqual([404, undefined]);
      expect(await service.stop()).toBe(0);
    },
    LIMIT_MS,
  );
});
