import type { FileHandle } from 'node:fs/promises';
import { OperationRefused } from '@assurance/event-sourcing/operation';
import { Slices } from '@assurance/kernel';
import { bytesOf, isZip, zippedFiles } from './zip';

/** Some documents of a file, one per line, or a whole file. */
export interface DumpChunk {
  /** Where the documents are in the file, as a text for people. */
  readonly place: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

interface Bounds {
  /** A file of at most this many bytes is one chunk. It is also the limit for a line. */
  readonly whole: number;
  /** How many bytes are collected before a chunk is returned. */
  readonly chunk: number;
}

const LINE_END = 0x0a;
/** How many bytes of a file are scanned before other work gets the thread. */
const LOOKED_THROUGH = 1024 * 1024;

/**
 * Reads the documents of a file in bounded chunks: a small file as a whole, a large one line by line, a zip file entry by entry.
 *
 * @throws OperationRefused if a large file has no lines, or a zip file is damaged
 */
export async function* documentsOf(handle: FileHandle, size: number, bounds: Bounds): AsyncGenerator<DumpChunk> {
  if (await isZip(handle, size)) yield* readZip(handle, bounds);
  else if (size <= bounds.whole) yield { place: 'the file', content: await bytesOf(handle, 0, size) };
  else yield* lines(handle, size, bounds);
}

async function* lines(handle: FileHandle, size: number, { whole, chunk }: Bounds): AsyncGenerator<DumpChunk> {
  let rest = new Uint8Array(0);
  for (let at = 0; at < size;) {
    const read = await bytesOf(handle, at, Math.min(chunk, size - at));
    at += read.length;
    const all = concatenate([rest, read]);
    const end = at === size ? all.length : all.lastIndexOf(LINE_END) + 1;
    rest = all.slice(end);
    if (rest.length > whole) {
      throw new OperationRefused(`A file of more than ${whole} bytes should have one entry a line, or be a zip file`);
    }
    if (end > 0) yield { place: `before byte ${at - rest.length}`, content: all.slice(0, end) };
  }
}

async function* readZip(handle: FileHandle, { whole, chunk }: Bounds): AsyncGenerator<DumpChunk> {
  let documents: Uint8Array[] = [];
  let bytes = 0;
  const chunkUpTo = (name: string) => ({ place: `up to ${name} of the zip file`, content: concatenate(documents) });
  let last = '';
  for await (const { name, content } of zippedFiles(handle, whole)) {
    if (!name.endsWith('.json')) continue;
    await onOneLine(content);
    documents.push(content, Uint8Array.of(LINE_END));
    [bytes, last] = [bytes + content.length + 1, name];
    if (bytes < chunk) continue;
    yield chunkUpTo(name);
    [documents, bytes] = [[], 0];
  }
  if (bytes > 0) yield chunkUpTo(last);
}

/** Replaces line ends by spaces, so that a document is on one line. JSON has no raw line ends inside texts. */
async function onOneLine(content: Uint8Array): Promise<void> {
  const slices = new Slices();
  for (let from = 0; from < content.length; from += LOOKED_THROUGH) {
    await slices.pause();
    const end = Math.min(from + LOOKED_THROUGH, content.length);
    for (let i = from; i < end; i += 1) if (content[i] === LINE_END || content[i] === 0x0d) content[i] = 0x20;
  }
}

function concatenate(all: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of all) {
    content.set(one, at);
    at += one.length;
  }
  return content;
}
