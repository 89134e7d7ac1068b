import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  GetObjectCommand,
  type _Object,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { type Report, secondsOf, type Source } from './report';
import { type Folder, folderDigest, IGNORE_FILE, ignoreRules, type TreeNode } from './tree';

/** Which objects count: objects with a key that begins with a prefix or matches a pattern. */
export interface KeyFilter {
  readonly include: readonly string[];
  readonly includeRegex: readonly RegExp[];
  readonly exclude: readonly string[];
  readonly excludeRegex: readonly RegExp[];
}

/** Whether an object belongs to the artifact. Folder markers do not. */
export function acceptsKey({ include, includeRegex, exclude, excludeRegex }: KeyFilter, key: string): boolean {
  const matches = (prefixes: readonly string[], patterns: readonly RegExp[]) =>
    prefixes.some((prefix) => key.startsWith(prefix.replace(/^\/+/, ''))) ||
    patterns.some((pattern) => pattern.test(key));
  if (key.endsWith('/')) return false;
  const all = include.length + includeRegex.length === 0;
  return (all || matches(include, includeRegex)) && !matches(exclude, excludeRegex);
}

/** The one artifact of a bucket: a folder with the keys as paths or, if there is only one object, a file with its name. */
function bucketReport(name: string, digest: string, objects: readonly _Object[]): Report {
  const newest = Math.max(...objects.map(({ LastModified }) => secondsOf(LastModified)));
  return { artifacts: [{ digests: { [name]: digest }, creationTimestamp: newest }] };
}

/** How often the list is read from the beginning because an object changed after it was listed. */
const TRIES = 5;

/** The source of a bucket's content. Objects that have not changed since they were read are not read again, also where a look failed. */
export function s3Source(client: S3Client, bucket: string, filter: KeyFilter): Source {
  let digests = new Map<string, string>();
  return {
    async collect() {
      for (let tries = 1; ; tries += 1) {
        try {
          return await readBucket();
        } catch (fault) {
          if (tries === TRIES || !hasChanged(fault)) throw fault;
        }
      }
    },
  };

  async function readBucket(): Promise<Report> {
    const objects: _Object[] = [];
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket }))
      objects.push(...(page.Contents ?? []));
    const acceptedObjects = objects.filter(({ Key }) => acceptsKey(filter, Key ?? ''));
    if (acceptedObjects.length === 0) throw new Error(`No object of bucket ${bucket} matches.`);
    const read = new Map<string, string>();
    const digestOf = async (object: _Object) => {
      const version = JSON.stringify([object.Key, object.ETag, object.Size, object.LastModified]);
      const digest = digests.get(version) ?? (await hashOf(await contentOf(client, bucket, object)));
      digests.set(version, digest);
      read.set(version, digest);
      return digest;
    };
    const files = acceptedObjects.map((object) => ({ object, names: namesOf(object.Key ?? '') }));
    const [first] = files;
    const report =
      files.length === 1 && first !== undefined
        ? bucketReport(first.names.at(-1) ?? '', await digestOf(first.object), acceptedObjects)
        : bucketReport(bucket, await wholeDigest(files), acceptedObjects);
    digests = read;
    return report;

    async function wholeDigest(all: typeof files): Promise<string> {
      const ignore = all.find(({ names }) => names.length === 1 && names[0] === IGNORE_FILE);
      const rules = ignore === undefined ? [] : ignoreRules(await text(await contentOf(client, bucket, ignore.object)));
      const root = folderOf(all.map(({ object, names }) => ({ names, digest: async () => digestOf(object) })));
      return folderDigest(root, rules);
    }
  }
}

/** Whether an object was replaced or removed after it was listed. */
function hasChanged(fault: unknown): boolean {
  return fault instanceof S3ServiceException && (fault.name === 'PreconditionFailed' || fault.name === 'NoSuchKey');
}

function namesOf(key: string): string[] {
  const names = key.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..') || names.length === 0) throw new Error(`The key ${key} is no path of a file.`);
  return names;
}

function folderOf(files: readonly { names: readonly string[]; digest: () => Promise<string> }[]): Folder {
  const root = new Map<string, TreeNode>();
  for (const { names, digest } of files) {
    let folder = root;
    for (const name of names.slice(0, -1)) {
      const next = folder.get(name) ?? { kind: 'folder', children: new Map<string, TreeNode>() };
      if (next.kind !== 'folder') throw new Error(`${names.join('/')} lies below a file.`);
      folder.set(name, next);
      folder = next.children as Map<string, TreeNode>;
    }
    const last = names.at(-1) ?? '';
    if (folder.has(last)) throw new Error(`Two objects are ${names.join('/')}.`);
    folder.set(last, { kind: 'file', digest });
  }
  return { kind: 'folder', children: root };
}

/** Reads the listed version of an object. If the object has changed since, S3 answers 412. */
async function contentOf(client: S3Client, bucket: string, { Key, ETag }: _Object): Promise<Readable> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key, IfMatch: ETag }));
  if (Body === undefined) throw new Error(`S3 sends nothing for ${Key}.`);
  return Body as Readable;
}

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(content, hash);
  return hash.digest('hex');
}
