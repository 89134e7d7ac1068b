import type { FileHandle } from 'node:fs/promises';
import { OperationRefused } from '@assurance/event-sourcing/operation';
import { Slices } from '@assurance/kernel';
import { bytesOf, isZip, zippedFiles } from './zip';

/** Some documents of a file, one a line, or a whole file. */
export interface DumpChunk {
  /** Where they stand, for people. */
  readonly place: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

interface Bounds {
  /** A file of at most so many bytes is one chunk. The longest line. */
  readonly whole: number;
  /** How many bytes are collected before they are given on. */
  readonly chunk: number;
}

const LINE_END = 0x0a;
/** How much of a file is looked through before others have the thread (bytes). */
const LOOKED_THROUGH = 1024 * 1024;

/**
 * The documents of a file, in bounded chunks: a small file whole, a large one line by line, a zip file entry by entry.
 *
 * @throws OperationRefused for a large file that has no lines, and for a damaged zip file
 */
export async function* documentsOf(handle: FileHandle, size: number, bounds: Bounds): AsyncGenerator<DumpChunk> {
  if (await isZip(handle, size)) yield* zipped(handle, bounds);
  else if (size <= bounds.whole) yield { place: 'the file', content: await bytesOf(handle, 0, size) };
  else yield* lines(handle, size, bounds);
}

async function* lines(handle: FileHandle, size: number, { whole, chunk }: Bounds): AsyncGenerator<DumpChunk> {
  let rest = new Uint8Array(0);
  for (let at = 0; at < size;) {
    const read = await bytesOf(handle, at, Math.min(chunk, size - at));
    at += read.length;
    const all = joined([rest, read]);
    const end = at === size ? all.length : all.lastIndexOf(LINE_END) + 1;
    rest = all.slice(end);
    if (rest.length > whole) {
      throw new OperationRefused(`A file of more than ${whole} bytes should have one entry a line, or be a zip file`);
    }
    if (end > 0) yield { place: `before byte ${at - rest.length}`, content: all.slice(0, end) };
  }
}

async function* zipped(handle: FileHandle, { whole, chunk }: Bounds): AsyncGenerator<DumpChunk> {
  let documents: Uint8Array[] = [];
  let bytes = 0;
  const taken = (name: string) => ({ place: `up to ${name} of the zip file`, content: joined(documents) });
  let last = '';
  for await (const { name, content } of zippedFiles(handle, whole)) {
    if (!name.endsWith('.json')) continue;
    await onOneLine(content);
    documents.push(content, Uint8Array.of(LINE_END));
    [bytes, last] = [bytes + content.length + 1, name];
    if (bytes < chunk) continue;
    yield taken(name);
    [documents, bytes] = [[], 0];
  }
  if (bytes > 0) yield taken(last);
}

/** Outside of texts, where none stands, the end of a line is a space. */
async function onOneLine(content: Uint8Array): Promise<void> {
  const slices = new Slices();
  for (let from = 0; from < content.length; from += LOOKED_THROUGH) {
    await slices.pause();
    const end = Math.min(from + LOOKED_THROUGH, content.length);
    for (let i = from; i < end; i += 1) if (content[i] === LINE_END || content[i] === 0x0d) content[i] = 0x20;
  }
}

function joined(all: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of all) {
    content.set(one, at);
    at += one.length;
  }
  return content;
}
