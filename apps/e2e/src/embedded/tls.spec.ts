import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeCertificates } from '../support/certificates';
import { freePort } from '../support/free-port';
import { Place } from '../support/process';
import { leave, silentConnections, withFiles } from '../support/silent';

describe('a service with a certificate', () => {
  const place = new Place();
  afterAll(() => place.clear());
  const certificates = makeCertificates(join(place.folder, 'certificates'));
  const own = { ASSURANCE_TLS_CERTIFICATE_FILE: certificates.server, ASSURANCE_TLS_KEY_FILE: certificates.server };

  it('has its operations address over TLS', async () => {
    const env = {
      ...own,
      ASSURANCE_SECRET: randomBytes(32).toString('hex'),
      ASSURANCE_OPERATIONS_PORT: String(await freePort()),
    };
    const service = place.start(env);
    expect(await service.url()).toMatch(/^https:/);
    const [, operations] = /operations +(\S+)\n/.exec(service.out) ?? [];
    const [metrics] = (await once(
      get(`${operations}/metrics`, { agent: false, rejectUnauthorized: false }),
      'response',
    )) as [IncomingMessage];
    const figures = await text(metrics);
    const seconds = (what: string) =>
      Number(new RegExp(`^assurance_certificate_${what}_seconds (\\S+)$`, 'm').exec(figures)?.[1]);
    expect(seconds('remaining')).toBeGreaterThan(0);
    expect(seconds('lifetime')).toBeGreaterThanOrEqual(seconds('remaining'));
    const operated = place.start(env, [], 'operate', ['stored-bytes']);
    expect([await operated.ended, operated.err]).toEqual([0, '']);
    const other = makeCertificates(join(place.folder, 'other')).server;
    const wrong = { ...env, ASSURANCE_TLS_CERTIFICATE_FILE: other, ASSURANCE_TLS_KEY_FILE: other };
    const distrusted = place.start(wrong, [], 'operate', ['stored-bytes']);
    expect([await distrusted.ended, distrusted.err]).toEqual([1, expect.stringMatching(/^It failed: .*certificate/)]);
    expect(await service.stop()).toBe(0);
  });

  it('answers others and ends, whoever leaves handshakes unfinished', async () => {
    const service = place.start({ ...own, ASSURANCE_DATA_DIR: join(place.folder, 'silent') }, withFiles(256));
    const url = await service.url();
    const sockets = await silentConnections(url, 300);
    // Clients that go without a word, too.
    await Promise.all(sockets.slice(150).map(leave));
    for (let i = 0; i < 20; i += 1) {
      const request = get(`${url}/api/v2/openapi.json`, { agent: false, rejectUnauthorized: false });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.destroy();
      expect(response.statusCode).toBe(200);
    }
    await silentConnections(url, 10);
    expect(await service.stop()).toBe(0);
  });

  it.each([
    [
      { ...own, ASSURANCE_TLS_KEY_FILE: certificates.client },
      /^ASSURANCE_TLS_KEY_FILE is not the key of ASSURANCE_TLS_CERTIFICATE_FILE: /,
    ],
    [
      { ...own, ASSURANCE_TLS_CERTIFICATE_FILE: '/gone.pem' },
      /^ASSURANCE_TLS_CERTIFICATE_FILE names \/gone\.pem, which /,
    ],
    [
      { ASSURANCE_TLS_KEY_FILE: certificates.server },
      /^ASSURANCE_TLS_KEY_FILE is set and ASSURANCE_TLS_CERTIFICATE_FILE /,
    ],
    [
      { ...own, ASSURANCE_TLS_CLIENT_CERTIFICATES: 'required' },
      /^ASSURANCE_TLS_CLIENT_CERTIFICATES is required, which needs .+ ASSURANCE_TLS_CA_FILE\.\n$/,
    ],
  ])('does not start with what cannot work, and says which setting it is', async (env, sentence) => {
    const service = place.start({ ...env, ASSURANCE_DATA_DIR: join(place.folder, 'none') });
    expect([await service.ended, service.err]).toEqual([1, expect.stringMatching(sentence)]);
  });
});
