import { Readable } from 'node:stream';
import { entriesOf } from '@assurance/kernel/tar/read';
import { tarOf } from '@assurance/kernel/tar/write';
import { AT } from './sample';

/** The files of a tar archive, by their paths, in its order. */
export async function unpackTar(tar: Uint8Array): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const { path, content } of entriesOf(Readable.from([tar]))) files.set(path, await readAll(content));
  return files;
}

/** A tar archive of these files. */
export async function packTar(files: Iterable<readonly [string, Uint8Array]>): Promise<Buffer> {
  const all = Array.from(files, ([path, content]) => ({ path, size: content.length, content: [content] }));
  return readAll(tarOf(all, AT));
}

export async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
