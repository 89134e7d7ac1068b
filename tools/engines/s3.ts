import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { mkdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { goTool } from '../ci/go-tool.ts';
import { certificates } from './certificates.ts';
import type { Engine } from './engines.ts';

const VERSITY = ['github.com/versity/versitygw/cmd/versitygw', 'v1.8.0'] as const;
const KEY = { id: 'test-key', secret: 'a secret key of the tests' };
const BUCKET = 'assurance';

/** Runs a server of the S3 protocol over TLS. It has one bucket and stores objects as files. */
export const s3: Engine = {
  install: gateway,
  async commands(folder, [port]) {
    const { server } = await certificates(folder);
    const data = join(folder, 'data');
    // The server treats each folder as a bucket.
    mkdirSync(join(data, BUCKET), { recursive: true });
    const who = ['--access', KEY.id, '--secret', KEY.secret];
    const where = ['--port', `127.0.0.1:${port}`, '--cert', server, '--key', server, '--keep-alive', '--quiet'];
    return [[gateway(), ...who, ...where, 'posix', data]];
  },
  ports: 1,
  url: ([port]) => `https://127.0.0.1:${port}`,
  settings: ([port], folder) => ({
    ASSURANCE_BLOBS_STORE: 's3',
    ASSURANCE_BLOBS_BUCKET: BUCKET,
    ASSURANCE_BLOBS_ENDPOINT: `https://127.0.0.1:${port}`,
    ASSURANCE_BLOBS_PATH_STYLE: 'on',
    ASSURANCE_BLOBS_CA_FILE: join(folder, 'tls/ca.pem'),
    ASSURANCE_BLOBS_ACCESS_KEY_ID: KEY.id,
    ASSURANCE_BLOBS_SECRET_ACCESS_KEY: KEY.secret,
  }),
  async ready([port], folder) {
    const { ca } = await certificates(folder);
    const asking = request({ host: '127.0.0.1', port, ca: readFileSync(ca) }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.resume();
    return true;
  },
};

function gateway(): string {
  return goTool(...VERSITY);
}
