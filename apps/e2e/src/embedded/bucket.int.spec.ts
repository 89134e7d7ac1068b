import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import { localServer } from '@assurance/testing/engines/local-server';
import type { RunningServer } from '@assurance/testing/engines/running';
import { BOOTSTRAP } from '../support/declared';
import { freePort } from '../support/free-port';
import { Place } from '../support/process';
import { digest, environment, flow, item } from '../support/samples';
import { worldOf } from '../support/world';

/** The server is built once from its sources. */
const START_MS = 300_000;
/** Sent in parts. */
const LARGE = 12 * 1024 * 1024;

describe('attachments in a bucket', () => {
  const place = new Place();
  const env = {
    ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
    ASSURANCE_SECRET: randomBytes(32).toString('hex'),
    ASSURANCE_LOG_LEVEL: 'warn',
  };
  let server: RunningServer;
  beforeAll(async () => {
    server = await localServer('s3');
  }, START_MS);
  afterAll(async () => {
    await place.clear();
    await server.stop();
  });

  const files = () => {
    const folder = join(place.folder, 'data/blobs');
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /[0-9a-f]{64}$/.test(name));
  };

  it(
    'are moved there while they are read, and get 503 while it is away, as nothing else does',
    async () => {
      const [before, after, again] = [randomBytes(LARGE), randomBytes(LARGE + 1), randomBytes(10)];
      const callerAt = async (url: string) => (await worldOf({ url })).as('member');
      const own = place.start(env);
      let caller = await callerAt(await own.url());
      const path = `/attestations/acme/${await flow(caller)}/trail/build-1`;
      const attest = (name: string, content: Uint8Array) => {
        const form = new FormData();
        form.set('data_json', JSON.stringify({ attestation_name: name, is_compliant: true }));
        form.append('attachment_file', new Blob([content as never]), 'a.bin');
        return caller.send('POST', `${path}/generic`, { form });
      };
      const evidence = async (name: string) => {
        const [attestation] = await caller.get<AttestationAnswer[]>(`${path}/${name}`);
        return `${path}/attestation/${attestation?.attestation_id}/evidence`;
      };
      const holds = async (name: string, content: Buffer) => {
        const { content: archive } = await caller.bytes(await evidence(name));
        return archive.subarray(512, 512 + content.length).equals(content);
      };
      expect((await attest('before', before)).status).toBe(201);
      expect(await own.stop()).toBe(0);
      expect(files()).toHaveLength(1);

      const port = String(await freePort());
      const moving = { ...env, ...server.settings, ASSURANCE_OPERATIONS_PORT: port };
      const service = place.start(moving);
      caller = await callerAt(await service.url());
      expect((await attest('after', after)).status).toBe(201);
      expect(files()).toHaveLength(1);
      const move = place.start(moving, [], 'operate', ['move-blobs']);
      expect([await move.ended, move.out]).toEqual([0, '1 blob was moved.\n']);
      expect(files()).toEqual([]);
      const repeat = place.start(moving, [], 'operate', ['move-blobs']);
      expect([await repeat.ended, repeat.out]).toEqual([0, '0 blobs were moved.\n']);
      for (const [name, content] of [
        ['before', before],
        ['after', after],
      ] as const) {
        expect(await holds(name, content)).toBe(true);
      }

      const read = await evidence('after');
      await server.stop();
      const later = {
        message: expect.stringMatching(/^The service cannot reach its storage\. Try again \(request .+\)$/),
      };
      const refused = await attest('gone', again);
      expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([503, '2', later]);
      const unread = await caller.send('GET', read);
      expect([unread.status, unread.headers.get('retry-after'), unread.body]).toEqual([503, '2', later]);
      const name = await environment(caller);
      const report = { artifacts: [item({ 'web:1': digest('one') })] };
      expect((await caller.send('PUT', `/environments/acme/${name}/report/docker`, { json: report })).status).toBe(200);
      expect(await service.stop()).toBe(0);

      const wrong = place.start({ ...moving, ASSURANCE_BLOBS_BUCKET: 'Wrong' });
      expect([await wrong.ended, wrong.err]).toEqual([
        1,
        expect.stringMatching(/^ASSURANCE_BLOBS_BUCKET is "Wrong", but /),
      ]);
      const away = place.start({ ...moving, ASSURANCE_OPERATIONS_PORT: '0', ASSURANCE_BLOBS_CA_FILE: '' });
      await away.url();
      expect(away.err).toContain('the object storage does not answer');
      expect(await away.stop()).toBe(0);
    },
    START_MS,
  );

  it(
    'are not put into a bucket that is reached with a wrong key or authority',
    async () => {
      const other = await localServer('s3');
      const folder = { ASSURANCE_DATA_DIR: join(place.folder, 'other') };
      const refusalText = async (wrong: Readonly<Record<string, string>>) => {
        const service = place.start({ ...env, ...folder, ...other.settings, ...wrong });
        expect(await service.ended).toBe(1);
        return service.err;
      };
      const { ASSURANCE_BLOBS_CA_FILE: _, ...settings } = other.settings;
      const distrusting = place.start({ ...env, ...folder, ...settings });
      expect([await distrusting.ended, distrusting.err]).toEqual([
        1,
        expect.stringMatching(
          /^The TLS connection to the object storage fails with [A-Z_]+: see ASSURANCE_BLOBS_ENDPOINT /,
        ),
      ]);
      expect(await refusalText({ ASSURANCE_BLOBS_SECRET_ACCESS_KEY: 'wrong' })).toMatch(
        /^The object storage refuses access to the bucket assurance \(SignatureDoesNotMatch\): see /,
      );
      await other.stop();
    },
    START_MS,
  );
});
