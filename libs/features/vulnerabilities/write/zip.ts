import type { FileHandle } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { OperationRefused } from '@assurance/event-sourcing/operation';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';

/** The first bytes of a zip file: the header of a file entry, or the end record. */
const [LOCAL, END] = [0x04034b50, 0x06054b50];
const END_BYTES = 22;
const [STORED, DEFLATED] = [0, 8];
/** The unpacked files together may be at most this many times as large as the zip file. JSON grows about ten times. Entries may share bytes. */
const GROWTH_MAX = 100;

/** Reads a part of a file. */
export async function bytesOf(handle: FileHandle, from: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const { bytesRead } = await handle.read(content, at, length - at, from + at);
    if (bytesRead === 0) throw new OperationRefused('The file became shorter while it was read');
    at += bytesRead;
  }
  return content;
}

export async function isZip(handle: FileHandle, size: number): Promise<boolean> {
  if (size < END_BYTES) return false;
  const { buffer: first } = await bytesOf(handle, 0, 4);
  return [LOCAL, END].includes(new DataView(first).getUint32(0, true));
}

/**
 * Reads the files of a zip file, in the order of its directory.
 *
 * @param maxBytes the most bytes of one file
 * @throws OperationRefused if the zip file is damaged or encrypted, if a file in it has more than `maxBytes` bytes, and if all files together are more
 *   than 100 times as large as the zip file
 */
export async function* zippedFiles(
  handle: FileHandle,
  maxBytes: number,
): AsyncGenerator<{ readonly name: string; readonly content: Uint8Array }> {
  const file = await openZip(handle);
  let bytesLeft = file.fileSize * GROWTH_MAX;
  const entries = file.eachEntry();
  for (;;) {
    const next = await entries.next().catch(refuseDamaged);
    if (next.done === true) return;
    const entry = next.value;
    const { fileName: name, compressionMethod, compressedSize, uncompressedSize } = entry;
    if (name.endsWith('/')) continue;
    if (entry.isEncrypted()) throw new OperationRefused(`${name} in the zip file is encrypted`);
    if (compressedSize > maxBytes || uncompressedSize > maxBytes)
      throw new OperationRefused(`${name} in the zip file has more than ${maxBytes} bytes`);
    if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
      throw new OperationRefused(`${name} in the zip file is packed unusually`);
    bytesLeft -= uncompressedSize;
    if (bytesLeft < 0) throw new OperationRefused(`The zip file unpacks to more than ${GROWTH_MAX} times its size`);
    yield { name, content: await contentOf(file, entry) };
  }
}

function openZip(handle: FileHandle): Promise<ZipFile> {
  return fromFdPromise(handle.fd, { autoClose: false }).catch(refuseDamaged);
}

/** Unpacks one file. A file that unpacks to another size than the directory states is damaged, so the stated size is a safe limit. */
async function contentOf(file: ZipFile, entry: Entry): Promise<Uint8Array> {
  return file.openReadStreamPromise(entry).then(buffer).catch(refuseDamaged);
}

function refuseDamaged(): never {
  throw new OperationRefused('The zip file is damaged');
}
