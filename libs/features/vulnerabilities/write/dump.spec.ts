import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { OperationRefused } from '@assurance/event-sourcing/operation';
import { documentsOf } from './dump';

interface ZipEntry {
  readonly name: string;
  readonly text: string;
  readonly method?: number;
  readonly flags?: number;
}

/** Builds a zip file, as PKWARE's APPNOTE.TXT describes it. `wide` adds the 64-bit records. */
function zip(files: readonly ZipEntry[], wide = false): Buffer {
  const [locals, central]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const { name, text, method = 8, flags = 0 } of files) {
    const data = method === 8 ? deflateRawSync(text) : Buffer.from(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(Buffer.byteLength(text), 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(wide ? 0xffffffff : at, 42);
    const extra = Buffer.alloc(wide ? 12 : 0);
    if (wide) {
      entry.writeUInt16LE(extra.length, 30);
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(8, 2);
      extra.writeBigUInt64LE(BigInt(at), 4);
    }
    locals.push(local, Buffer.from(name), data);
    central.push(entry, Buffer.from(name), extra);
    at += 30 + name.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(wide ? 0xffffffff : at, 16);
  const [end64, locator] = [Buffer.alloc(wide ? 56 : 0), Buffer.alloc(wide ? 20 : 0)];
  if (wide) {
    end64.writeUInt32LE(0x06064b50, 0);
    end64.writeBigUInt64LE(BigInt(files.length), 24);
    end64.writeBigUInt64LE(BigInt(files.length), 32);
    end64.writeBigUInt64LE(BigInt(directory.length), 40);
    end64.writeBigUInt64LE(BigInt(at), 48);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(at + directory.length), 8);
  }
  return Buffer.concat([...locals, directory, end64, locator, end]);
}

describe('the documents of a dump', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'assurance-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function read(content: string | Uint8Array, bounds = { whole: 100, chunk: 60 }): Promise<string[]> {
    const path = join(folder, 'dump');
    writeFileSync(path, content);
    const handle = await open(path);
    try {
      const chunks: string[] = [];
      for await (const document of documentsOf(handle, Buffer.byteLength(content), bounds)) {
        chunks.push(Buffer.from(document.content).toString());
      }
      return chunks;
    } finally {
      await handle.close();
    }
  }
  const line = (n: number) => `{"id": "A-${String(n).padStart(4, '0')}"}\n`;
  const lines = Array.from({ length: 50 }, (_, n) => line(n)).join('');

  it('are a small file as it is', async () => {
    expect(await read('{"id":\n"A"}')).toEqual(['{"id":\n"A"}']);
    expect(await read('')).toEqual(['']);
  });

  it('are the lines of a large file, in chunks that end behind a line', async () => {
    const chunks = await read(lines);
    expect(chunks.join('')).toBe(lines);
    expect(chunks.length).toBeGreaterThan(10);
    expect(chunks.every((chunk) => chunk.endsWith('}\n') && chunk.length <= 100)).toBe(true);
    const unended = await read(`${lines}{"id": "last"}`);
    expect(unended.join('')).toBe(`${lines}{"id": "last"}`);
  });

  it('are no large file without lines', async () => {
    await expect(read('x'.repeat(1_000))).rejects.toThrow(OperationRefused);
    await expect(read('x'.repeat(1_000))).rejects.toThrow('more than 100 bytes should have one entry a line');
  });

  it.each([false, true])('are the JSON files of a zip file, one a line (64 bits: %s)', async (wide) => {
    const files = [
      { name: 'a/', text: '', method: 0 },
      { name: 'a/one.json', text: '{\r\n  "id": 1\n}' },
      { name: 'README.txt', text: 'none' },
      { name: 'two.json', text: '{"id": 2}', method: 0 },
      ...Array.from({ length: 20 }, (_, n) => ({ name: `more-${n}.json`, text: line(n) })),
    ];
    const chunks = await read(zip(files, wide));
    const documents = chunks.flatMap((chunk) => chunk.split('\n').filter((text) => text !== ''));
    expect(documents.map((text) => (JSON.parse(text) as { id: unknown }).id)).toEqual([
      1,
      2,
      ...Array.from({ length: 20 }, (_, n) => `A-${String(n).padStart(4, '0')}`),
    ]);
    expect(chunks.length).toBeGreaterThan(3);
  });

  it.each([
    ['is encrypted', zip([{ name: 'a.json', text: '{}', flags: 1 }])],
    ['is packed unusually', zip([{ name: 'a.json', text: '{}', method: 12 }])],
    ['has more than 100 bytes', zip([{ name: 'a.json', text: 'x'.repeat(101) }])],
    ['damaged', zip([{ name: 'a.json', text: lines }]).subarray(0, 60)],
    ['damaged', zip([{ name: '../a.json', text: '{}' }])],
    ['damaged', Buffer.concat([zip([{ name: 'a.json', text: '{}' }]).subarray(0, 20), Buffer.alloc(80)])],
  ])('are none of a zip file that %s: %#', async (problem, content) => {
    await expect(read(content)).rejects.toThrow(OperationRefused);
    await expect(read(content)).rejects.toThrow(problem);
  });

  it('are not unpacked without end where entries of a zip file are about the same bytes', async () => {
    const archive = zip([{ name: 'a.json', text: ' '.repeat(100_000) }]);
    const [at, end, count] = [archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2])), archive.length - 22, 1_000];
    const [entry, last] = [archive.subarray(at, end), Buffer.from(archive.subarray(end))];
    last.writeUInt16LE(count, 8);
    last.writeUInt16LE(count, 10);
    last.writeUInt32LE(entry.length * count, 12);
    const bomb = Buffer.concat([archive.subarray(0, at), ...Array.from({ length: count }, () => entry), last]);
    await expect(read(bomb, { whole: 1_000_000, chunk: 60 })).rejects.toThrow('more than 100 times its size');
  });

  it('never become larger than a file may be, whatever a zip file says of it', async () => {
    const bomb = zip([{ name: 'a.json', text: ' '.repeat(100_000) }]);
    // The directory states a size that is too small.
    bomb.writeUInt32LE(10, bomb.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    await expect(read(bomb, { whole: 1_000, chunk: 60 })).rejects.toThrow('damaged');
    // The directory states a size that is too large.
    const short = zip([{ name: 'a.json', text: '{}' }]);
    short.writeUInt32LE(900, short.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    await expect(read(short, { whole: 1_000, chunk: 60 })).rejects.toThrow('damaged');
  });
});
