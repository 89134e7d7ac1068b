import type { AgentOptions } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type Proxies, proxyFor } from '@assurance/kernel';
import { StoreUnavailable } from '@assurance/storage-ports';
import { isMissing, portErrorOf } from './faults';

/** The location of the bucket, and how the client connects to it. */
export interface S3Settings {
  readonly bucket: string;
  /** The prefix of the name of each object. It is empty, or ends with a slash. */
  readonly prefix: string;
  /** Null: AWS. */
  readonly endpoint: string | null;
  /** Null: `us-east-1` if an endpoint is given, otherwise the region that the AWS SDK finds in its environment. */
  readonly region: string | null;
  /** Whether the bucket is named in the path rather than in the host name. */
  readonly pathStyle: boolean;
  /** The authority that must have issued the server's certificate (PEM); null: the authorities that Node knows. */
  readonly ca: string | null;
  /** Null: the default chain of the AWS SDK. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** The encryption that is requested for each object; null uses the default of the bucket. */
  readonly encryption: { readonly algorithm: 'AES256' | 'aws:kms'; readonly key: string | null } | null;
}

const MiB = 1024 * 1024;
/** The smallest part that S3 accepts, and the most parts of an upload. */
const PART_BYTES = 5 * MiB;
const PARTS_MAX = 10_000;
/** The number of parts of one upload that are sent concurrently. Each is held in memory. */
const PARTS_AT_ONCE = 2;
const CONNECT_MS = 5_000;
/** How long a server may keep silent on a connection (milliseconds). */
const SILENCE_MS = 30_000;
/** How often an interrupted download is continued without getting further, and the pause before each time (milliseconds). */
const CONTINUED_MAX = 30;
const CONTINUE_AFTER_MS = 1_000;
/**
 * The most connections. A download uses a connection until its reader has finished. This limit leaves connections for
 * others when readers are slow.
 */
const CONNECTIONS = 1_000;

interface Part {
  readonly body: Readable;
  readonly bytes: number;
}

/** The objects of a bucket with names that begin with the prefix. Names are given and returned without it. It throws the errors of the port. */
export class Bucket {
  private readonly client: S3Client;

  constructor(
    private readonly settings: S3Settings,
    proxies: Proxies,
  ) {
    this.client = new S3Client(clientOptions(settings, proxies));
  }

  /** Uploads content of unknown length: in one request if it fits into one part, otherwise in parts. Parts of a failed upload are removed. */
  async upload(name: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<void> {
    const upload = new Upload({
      client: this.client,
      params: { ...this.target(name), ...this.encryption(), Body: Readable.from(content, { objectMode: true }) },
      partSize: Math.max(PART_BYTES, Math.ceil(limit / PARTS_MAX)),
      queueSize: PARTS_AT_ONCE,
    });
    await translateErrors(upload.done());
  }

  /** Stores a few bytes. */
  async put(name: string, content: string): Promise<void> {
    const command = new PutObjectCommand({ ...this.target(name), ...this.encryption(), Body: content });
    await translateErrors(this.client.send(command));
  }

  /**
   * Downloads an object; null if it does not exist. An interrupted download continues where it ended, because the content of an object never
   * changes.
   *
   * @throws StoreUnavailable also while the content is read, after half a minute without further content
   */
  async get(name: string): Promise<AsyncIterable<Uint8Array> | null> {
    try {
      return this.readWhole(name, await this.read(name, 0));
    } catch (error) {
      if (isMissing(error)) return null;
      throw portErrorOf(error);
    }
  }

  private async *readWhole(name: string, first: Part): AsyncGenerator<Uint8Array> {
    let part: Part | null = first;
    let from = 0;
    for (let attempts = 0; ; attempts += 1) {
      let fault: unknown = new StoreUnavailable('the object storage sent too few bytes');
      try {
        part ??= await this.read(name, from);
        for await (const piece of part.body) {
          from += (piece as Uint8Array).length;
          attempts = 0;
          yield piece as Uint8Array;
        }
      } catch (error) {
        fault = portErrorOf(error);
      }
      if (from >= first.bytes) return;
      if (!(fault instanceof StoreUnavailable) || attempts >= CONTINUED_MAX) throw fault;
      part = null;
      await pause(CONTINUE_AFTER_MS);
    }
  }

  /** Reads an object from a byte on. */
  private async read(name: string, from: number): Promise<Part> {
    const range = from === 0 ? {} : { Range: `bytes=${from}-` };
    const { Body, ContentLength = 0 } = await this.client.send(
      new GetObjectCommand({ ...this.target(name), ...range }),
    );
    return { body: Body as Readable, bytes: ContentLength };
  }

  /** Removes an object. An object that does not exist counts as removed. */
  async remove(name: string): Promise<void> {
    await translateErrors(this.client.send(new DeleteObjectCommand(this.target(name))));
  }

  /** Lists names that begin with `folder` and come after another name, in the order of their bytes. */
  async list(folder: string, after: string, limit: number): Promise<string[]> {
    const { bucket, prefix } = this.settings;
    const where = { Bucket: bucket, Prefix: `${prefix}${folder}`, StartAfter: `${prefix}${after}`, MaxKeys: limit };
    const { Contents = [] } = await translateErrors(this.client.send(new ListObjectsV2Command(where)));
    return Contents.map(({ Key = '' }) => Key.slice(prefix.length));
  }

  /** Lists multipart uploads that are running or were interrupted, like `list`. */
  async listUploads(folder: string, after: string, limit: number): Promise<{ name: string; id: string }[]> {
    const { bucket, prefix } = this.settings;
    const where = { Bucket: bucket, Prefix: `${prefix}${folder}`, KeyMarker: `${prefix}${after}`, MaxUploads: limit };
    const { Uploads = [] } = await translateErrors(this.client.send(new ListMultipartUploadsCommand(where)));
    return Uploads.map(({ Key = '', UploadId = '' }) => ({ name: Key.slice(prefix.length), id: UploadId }));
  }

  async abort({ name, id }: { readonly name: string; readonly id: string }): Promise<void> {
    const command = new AbortMultipartUploadCommand({ ...this.target(name), UploadId: id });
    try {
      await this.client.send(command);
    } catch (error) {
      if (!isMissing(error)) throw portErrorOf(error);
    }
  }

  close(): void {
    this.client.destroy();
  }

  private target(name: string) {
    return { Bucket: this.settings.bucket, Key: `${this.settings.prefix}${name}` };
  }

  private encryption() {
    const { encryption } = this.settings;
    if (encryption === null) return {};
    const { algorithm: ServerSideEncryption, key } = encryption;
    return { ServerSideEncryption, ...(key === null ? {} : { SSEKMSKeyId: key }) };
  }
}

function clientOptions(settings: S3Settings, proxies: Proxies): S3ClientConfig {
  const { endpoint, region, pathStyle, ca, credentials } = settings;
  const authority = ca === null ? {} : { ca };
  const proxyEnv = proxyOf(settings, proxies);
  return {
    ...(endpoint === null ? {} : { endpoint, region: 'us-east-1' }),
    ...(region === null ? {} : { region }),
    ...(credentials === null ? {} : { credentials }),
    forcePathStyle: pathStyle,
    // With this option the client would replace its connections by new ones, which do not trust the configured authority.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS, ...proxyEnv },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS, ...authority, ...proxyEnv },
    },
  };
}

/** The options of Node's agents for the proxy to the bucket. The agents check the proxy again for each host, because AWS may choose the host. */
function proxyOf({ endpoint, bucket, region }: S3Settings, proxies: Proxies): Pick<AgentOptions, 'proxyEnv'> {
  const target = new URL(endpoint ?? `https://${bucket}.s3.${region ?? 'us-east-1'}.amazonaws.com`);
  const proxy = proxyFor(proxies, target);
  if (proxy === null) return {};
  const direct = endpoint === null ? { no_proxy: proxies.direct.join(',') } : {};
  return { proxyEnv: { http_proxy: proxy, https_proxy: proxy, ...direct } };
}

async function translateErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw portErrorOf(error);
  }
}
