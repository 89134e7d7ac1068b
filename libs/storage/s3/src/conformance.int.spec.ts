import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect, createServer, type Server as NetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { NO_PROXIES, type Proxies } from '@assurance/kernel';
import { StoreMisconfigured, StoreUnavailable } from '@assurance/storage-ports';
import { openEmbedded } from '@assurance/storage-sqlite';
import { blobsSuite } from '@assurance/testing/conformance/blobs';
import { localServer } from '@assurance/testing/engines/local-server';
import type { RunningServer } from '@assurance/testing/engines/running';
import { OutgoingProxy } from '@assurance/testing/outgoing-proxy';
import type { S3Settings } from './bucket';
import { openS3 } from './open-s3';

/** The limit for the start of the server, which is built once from its sources (milliseconds). */
const START_MS = 300_000;
const NOW = 1_700_000_000_000;
const DAY = 24 * 3_600_000;
const LIMIT = 64 * 1024 * 1024;

let server: RunningServer;
beforeAll(async () => {
  server = await localServer('s3');
}, START_MS);
afterAll(() => server.stop());

/** Settings with an unused prefix. */
function settings(of = server): S3Settings {
  return {
    bucket: String(of.settings['ASSURANCE_BLOBS_BUCKET']),
    endpoint: String(of.settings['ASSURANCE_BLOBS_ENDPOINT']),
    prefix: `${randomUUID()}/`,
    region: null,
    pathStyle: true,
    ca: readFileSync(String(of.settings['ASSURANCE_BLOBS_CA_FILE']), 'utf8'),
    credentials: {
      accessKeyId: String(of.settings['ASSURANCE_BLOBS_ACCESS_KEY_ID']),
      secretAccessKey: String(of.settings['ASSURANCE_BLOBS_SECRET_ACCESS_KEY']),
    },
    encryption: null,
  };
}

/** Blobs of a bucket. Their records are in a separate embedded engine. */
async function openOn(
  input: S3Settings,
  now = () => NOW,
  onFault: (fault: unknown) => void = () => undefined,
  proxies: Proxies = NO_PROXIES,
) {
  const folder = await mkdtemp(join(tmpdir(), 'assurance-s3-spec-'));
  const embedded = await openEmbedded({ folder, now, random: randomBytes });
  const end = async () => {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const blobs = await openS3({ ...input, proxies, documents: embedded.documents, now, random: randomBytes, onFault });
    const close = async () => {
      blobs.close();
      await end();
    };
    return { engines: { blobs }, close };
  } catch (error) {
    await end();
    throw error;
  }
}

const open = (now: () => number) => openOn(settings(), now);

blobsSuite(open);

async function* inPieces(content: Buffer) {
  for (let from = 0; from < content.length; from += 100_000) yield content.subarray(from, from + 100_000);
}

/** Passes requests on to a server, and records them. */
async function recordingProxy({ endpoint, ca }: S3Settings, sent: IncomingMessage[]): Promise<HttpServer> {
  const proxy = createHttpServer((from, answer) => {
    sent.push(from);
    const { method, url, headers } = from;
    const to = request(new URL(url ?? '', endpoint!), { method: method ?? '', headers, ca: ca! }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    from.pipe(to);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  return proxy;
}

describe('a bucket behind a proxy', () => {
  const LARGE = randomBytes(12 * 1024 * 1024);

  it('is reached through it alone, by tunnels, and directly where NO_PROXY names it', async () => {
    const input = settings();
    const host = new URL(input.endpoint ?? '').host;
    const proxy = await OutgoingProxy.start();
    const proxies = { http: null, https: proxy.url, direct: [] };
    const through = await openOn(input, undefined, undefined, proxies);
    try {
      const { sha256 } = await through.engines.blobs.put('org', inPieces(LARGE), LIMIT);
      const pieces: Uint8Array[] = [];
      for await (const piece of (await through.engines.blobs.open('org', sha256))!) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(LARGE)).toBe(true);
      expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${host}`]));
    } finally {
      await through.close();
    }
    proxy.requests.length = 0;
    const direct = await openOn(settings(), undefined, undefined, { ...proxies, direct: ['127.0.0.0/8', 'localhost'] });
    await direct.engines.blobs.put('org', inPieces(LARGE.subarray(0, 10)), LIMIT).finally(() => direct.close());
    await proxy.stop();
    expect(proxy.requests).toEqual([]);
  });

  it('is away while the proxy is, and its login is in no fault', async () => {
    const proxy = await OutgoingProxy.start();
    const [url, { password }] = [proxy.url, proxy];
    await proxy.stop();
    const faults: unknown[] = [];
    const { engines, close } = await openOn(settings(), undefined, (fault) => faults.push(fault), {
      http: null,
      https: url,
      direct: [],
    });
    const put = engines.blobs.put('org', inPieces(LARGE.subarray(0, 10)), LIMIT);
    await expect(put).rejects.toBeInstanceOf(StoreUnavailable);
    await close();
    expect(faults.map(String).join()).not.toContain(password);
  });
});

describe('a bucket', () => {
  const clientOf = ({ endpoint, credentials, ca }: S3Settings) =>
    new S3Client({
      endpoint: endpoint!,
      region: 'us-east-1',
      credentials: credentials!,
      forcePathStyle: true,
      requestHandler: { httpsAgent: { ca: ca! } },
    });

  it('holds large content in parts, whole, and below the prefix alone', async () => {
    const input = settings();
    const { engines, close } = await openOn(input);
    const client = clientOf(input);
    try {
      const content = randomBytes(17 * 1024 * 1024 + 5);
      const { sha256 } = await engines.blobs.put('org', inPieces(content), LIMIT);
      const pieces: Uint8Array[] = [];
      for await (const piece of (await engines.blobs.open('org', sha256)) ?? []) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(content)).toBe(true);
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: input.bucket, Prefix: `${input.prefix}blobs/` }),
      );
      expect(Contents).toHaveLength(1);
      const object = await client.send(new GetObjectCommand({ Bucket: input.bucket, Key: String(Contents[0]?.Key) }));
      object.Body?.transformToByteArray().catch(() => undefined);
      // The form of an object that was uploaded in parts.
      expect(object.ETag).toMatch(/-4"$/);
    } finally {
      client.destroy();
      await close();
    }
  });

  it('loses what puts left that broke off long ago, objects and uploads, piece by piece', async () => {
    const input = settings();
    let now = NOW;
    const { engines, close } = await openOn(input, () => now);
    const client = clientOf(input);
    const target = (at: number) => ({
      Bucket: input.bucket,
      Key: `${input.prefix}blobs/${at.toString(16).padStart(12, '0')}${randomBytes(16).toString('hex')}`,
    });
    const begin = async (at: number) => {
      const where = target(at);
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(where));
      await client.send(new UploadPartCommand({ ...where, UploadId, PartNumber: 1, Body: 'left behind' }));
      return where.Key;
    };
    try {
      const { sha256 } = await engines.blobs.put('org', inPieces(Buffer.from('named')), LIMIT);
      const young = target(NOW + 2 * DAY);
      for (const where of [target(NOW - DAY), target(NOW), target(NOW + 1), young]) {
        await client.send(new PutObjectCommand({ ...where, Body: 'left behind' }));
      }
      await begin(NOW - DAY);
      await begin(NOW);
      const goesOn = await begin(NOW + 2 * DAY);
      now += 2 * DAY;
      let looks = 0;
      for (let after: string | null = null; ; looks += 1) {
        after = await engines.blobs.sweepBroken({ after, limit: 2, before: now - DAY });
        if (after === null) break;
      }
      expect(looks).toBeGreaterThan(3);
      const where = { Bucket: input.bucket, Prefix: `${input.prefix}blobs/` };
      const { Contents = [] } = await client.send(new ListObjectsV2Command(where));
      expect(Contents).toHaveLength(2);
      expect(Contents.map(({ Key }) => Key)).toContain(young.Key);
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand(where));
      expect(Uploads.map(({ Key }) => Key)).toEqual([goesOn]);
      const pieces: Uint8Array[] = [];
      for await (const piece of (await engines.blobs.open('org', sha256)) ?? []) pieces.push(piece);
      expect(Buffer.concat(pieces).toString()).toBe('named');
    } finally {
      client.destroy();
      await close();
    }
  });

  it.each([
    [{ algorithm: 'AES256', key: null }, { 'x-amz-server-side-encryption': 'AES256' }],
    [
      { algorithm: 'aws:kms', key: 'a-key' },
      { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-aws-kms-key-id': 'a-key' },
    ],
  ] as const)(
    'asks for encryption with each object, and names the prefix in each request: %j',
    async (encryption, headers) => {
      const input = settings();
      const sent: IncomingMessage[] = [];
      const proxy = await recordingProxy(input, sent);
      const { port } = proxy.address() as AddressInfo;
      const { engines, close } = await openOn({ ...input, encryption, endpoint: `http://127.0.0.1:${port}`, ca: null });
      try {
        for (const content of [Buffer.from('small'), randomBytes(6 * 1024 * 1024)]) {
          const { sha256 } = await engines.blobs.put('org', inPieces(content), LIMIT);
          for await (const _ of (await engines.blobs.open('org', sha256)) ?? []);
        }
        let after: string | null = null;
        do after = await engines.blobs.sweepBroken({ after, limit: 10, before: NOW });
        while (after !== null);
        const kinds = sent.map(({ method, url = '', headers }) => {
          const { pathname, searchParams } = new URL(url, 'http://localhost');
          const name = searchParams.get('prefix') ?? pathname.slice(`/${input.bucket}/`.length);
          expect(name.startsWith(input.prefix)).toBe(true);
          const what = ['uploads', 'partNumber', 'uploadId', 'list-type'].filter((key) => searchParams.has(key));
          const encrypted = Object.entries(headers).filter(([header]) => header.includes('server-side-encryption'));
          return JSON.stringify([method, what.join(), Object.fromEntries(encrypted)]);
        });
        const expected = [
          ['GET', '', {}],
          ['GET', 'list-type', {}],
          ['GET', 'uploads', {}],
          ['POST', 'uploadId', {}],
          ['POST', 'uploads', headers],
          ['PUT', '', headers],
          ['PUT', 'partNumber,uploadId', {}],
        ];
        expect([...new Set(kinds)].sort()).toEqual(expected.map((kind) => JSON.stringify(kind)));
      } finally {
        await close();
        proxy.close();
      }
    },
  );

  it('says which content is lost where it was restored to an earlier moment, and takes it again', async () => {
    const input = settings();
    const { engines, close } = await openOn(input);
    const { blobs } = engines;
    const client = clientOf(input);
    try {
      const [keptContent, content] = [randomBytes(1_000), randomBytes(2_000)];
      const { sha256: there } = await blobs.put('org', inPieces(keptContent), LIMIT);
      const { sha256 } = await blobs.put('org', inPieces(content), LIMIT);
      const where = { Bucket: input.bucket, Prefix: `${input.prefix}blobs/` };
      const { Contents = [] } = await client.send(new ListObjectsV2Command(where));
      const object = Contents.find(({ Size }) => Size === content.length);
      await client.send(new DeleteObjectCommand({ Bucket: input.bucket, Key: String(object?.Key) }));
      expect([await blobs.isLost?.('org', sha256), await blobs.isLost?.('org', there)]).toEqual([true, false]);
      expect(await blobs.isLost?.('other', sha256)).toBe(false);
      expect(await blobs.open('org', sha256)).toBeNull();

      const again = await Promise.all([1, 2, 3].map(() => blobs.put('org', inPieces(content), LIMIT)));
      expect(again.map(({ added }) => added)).toEqual([false, false, false]);
      expect(await blobs.isLost?.('org', sha256)).toBe(false);
      const pieces: Uint8Array[] = [];
      for await (const piece of (await blobs.open('org', sha256))!) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(content)).toBe(true);
      expect((await client.send(new ListObjectsV2Command(where))).Contents).toHaveLength(2);
    } finally {
      await close();
    }
  });

  it('is refused to a second installation, and taken again by its own', async () => {
    const input = settings();
    const first = await openOn(input);
    await expect(openOn(input)).rejects.toThrow(
      `The bucket ${input.bucket}/${input.prefix} belongs to another installation: `,
    );
    await first.close();
  });

  it('is distinguished from one that does not answer', async () => {
    const input = settings();
    const refused = async (wrong: Partial<S3Settings>) => {
      const fault: unknown = await openOn({ ...input, ...wrong }).then(
        ({ close }) => close(),
        (error: unknown) => error,
      );
      expect(fault).toBeInstanceOf(StoreMisconfigured);
      return (fault as Error).message;
    };
    expect(await refused({ bucket: 'none-of-this-name' })).toBe(
      'There is no bucket none-of-this-name: make it, or set ASSURANCE_BLOBS_BUCKET.',
    );
    const credentials = { accessKeyId: String(input.credentials?.accessKeyId), secretAccessKey: 'wrong' };
    expect(await refused({ credentials })).toMatch(
      /^The object storage refuses access to the bucket assurance \(SignatureDoesNotMatch\): see ASSURANCE_BLOBS_ACCESS_KEY_ID, /,
    );
  });
});

describe('a download whose connection breaks', () => {
  /** Passes connections on to a server. It cuts a connection each time the next number of answer bytes has passed. */
  async function cutting(endpoint: URL, after: number[]): Promise<NetServer> {
    let passed = 0;
    const proxy = createServer((from) => {
      const to = connect(Number(endpoint.port), endpoint.hostname);
      to.on('data', (piece) => {
        passed += piece.length;
        if (after[0] !== undefined && passed > after[0]) {
          after.shift();
          from.destroy();
        } else from.write(piece);
      });
      from.pipe(to);
      for (const [left, right] of [
        [from, to],
        [to, from],
      ] as const) {
        left.on('error', () => undefined);
        left.on('close', () => right.destroy());
      }
    });
    await new Promise<void>((listening) => proxy.listen(0, endpoint.hostname, listening));
    return proxy;
  }

  it('continues where it broke off', async () => {
    const input = settings();
    const cuts = [1_000_000, 5_000_000];
    const proxy = await cutting(new URL(input.endpoint!), cuts);
    const { port } = proxy.address() as AddressInfo;
    const { engines, close } = await openOn({ ...input, endpoint: input.endpoint!.replace(/:\d+$/, `:${port}`) });
    try {
      const content = randomBytes(8 * 1024 * 1024 + 3);
      const { sha256 } = await engines.blobs.put('org', inPieces(content), LIMIT);
      const pieces: Uint8Array[] = [];
      for await (const piece of (await engines.blobs.open('org', sha256)) ?? []) pieces.push(piece);
      expect([cuts, Buffer.concat(pieces).equals(content)]).toEqual([[], true]);
    } finally {
      await close();
      proxy.close();
    }
  });
});

describe('a server that goes away', () => {
  it(
    'does not keep the service from starting, and fails puts and reads until it is back',
    async () => {
      const stoppedServer = await localServer('s3');
      const input = settings(stoppedServer);
      const { engines, close } = await openOn(input);
      const { sha256 } = await engines.blobs.put('org', inPieces(Buffer.from('some')), LIMIT);
      await stoppedServer.stop();
      let ended = false;
      async function* content() {
        try {
          for (let i = 0; i < 200; i += 1) yield Buffer.alloc(100_000, i);
        } finally {
          ended = true;
        }
      }
      await expect(engines.blobs.put('org', content(), LIMIT)).rejects.toBeInstanceOf(StoreUnavailable);
      expect(ended).toBe(true);
      await expect(engines.blobs.open('org', sha256)).rejects.toBeInstanceOf(StoreUnavailable);
      expect(await engines.blobs.stat('org', sha256)).toMatchObject({ size: 4 });
      await close();
      const faults: unknown[] = [];
      const later = await openOn(
        { ...input, ca: null },
        () => NOW,
        (fault) => faults.push(fault),
      );
      expect(faults).toEqual([expect.any(StoreUnavailable)]);
      await later.close();
    },
    START_MS,
  );
});
