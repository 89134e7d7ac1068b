import { pipeline, Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { tarOf } from '../tar';
import { AT } from './sample';

/** The files of a tar archive, by their paths, in its order. */
export async function unpacked(tar: Uint8Array): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const archive = extract();
  pipeline(Readable.from([tar]), archive, () => undefined);
  for await (const entry of archive) {
    const pieces: Buffer[] = [];
    for await (const piece of entry as AsyncIterable<Buffer>) pieces.push(piece);
    files.set(entry.header.name, Buffer.concat(pieces));
  }
  return files;
}

/** A tar archive of these files. */
export async function packed(files: Iterable<readonly [string, Uint8Array]>): Promise<Buffer> {
  async function* all() {
    for (const [path, content] of files) yield { path, size: content.length, content: [content] };
  }
  return whole(tarOf(all(), AT));
}

export async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
