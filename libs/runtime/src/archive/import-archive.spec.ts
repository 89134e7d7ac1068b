import { CODEC } from '@assurance/contracts/events/codec';
import { kindOf } from '@assurance/contracts/events/streams';
import type { ArchivedCollection } from '@assurance/event-sourcing/archive/archived-collection';
import { seal } from '@assurance/event-sourcing/sealing/seal';
import { uuidv7 } from '@assurance/kernel';
import type { BlobInfo, Commit, Engines } from '@assurance/storage-ports';
import { openEmbedded } from '@assurance/storage-sqlite';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { exportOperation } from './export-operation';
import { finishImport, importArchive, problemOfImport } from './import-archive';

const NOW = 1_700_000_000_000;
const ARCHIVED: readonly ArchivedCollection[] = [
  { collection: { name: 'seen', indexes: [] }, ownerOf: (id) => ({ stream: `environment/${id}` }), secret: false },
  { collection: { name: 'secrets', indexes: [] }, ownerOf: (_, doc) => doc as { org: string }, secret: true },
];
const going = () => new AbortController().signal;

let folder: string;
let full: Engines;
const opened: Engines[] = [];

async function store(): Promise<Engines> {
  const own = mkdtempSync(join(folder, 'store-'));
  const engines = await openEmbedded({ folder: own, now: () => NOW, random: (bytes) => randomBytes(bytes) });
  opened.push(engines);
  return engines;
}

/** Appends to a stream. Large data is stored outside of the commit. */
async function append({ events }: Engines, org: string, stream: string, data: object): Promise<void> {
  const before = await events.newest(stream);
  const [type = 'Happened'] = Object.keys(CODEC[kindOf(stream)] ?? {});
  const id = uuidv7(NOW, randomBytes(10));
  const draft = { id, org, stream, at: NOW, actor: 'ada', correlation: 'c' };
  const commit = await seal(events, draft, before, [{ type, version: 1, data }]);
  expect(await events.append(commit)).toBe('appended');
}

async function all(engines: Engines) {
  const commits: Commit[] = [];
  for (let after: string | null = null; ;) {
    const page = await engines.events.scan(after, 1_000);
    commits.push(...page.commits);
    if (page.next === null) break;
    after = page.next;
  }
  // An archive keeps the order within each stream, but not the order among streams.
  const place = ({ stream, seq }: Commit) => `${stream} ${String(seq).padStart(9, '0')}`;
  commits.sort((a, b) => (place(a) < place(b) ? -1 : 1));
  const outside = commits.flatMap(({ org, events }) =>
    events.filter(({ data }) => data === undefined).map(({ digest }) => ({ org, digest })),
  );
  const data = await Promise.all(outside.map(({ org, digest }) => engines.events.readData(org, digest)));
  const blobs: string[] = [];
  for (const org of new Set(commits.map((commit) => commit.org))) {
    for await (const { sha256 } of engines.blobs.list(org)) blobs.push(`${org} ${sha256}`);
  }
  const documents = await Promise.all(
    ARCHIVED.map(
      async ({ collection }) => (await engines.documents.collection(collection).scan(null, 1_000)).documents,
    ),
  );
  return { commits, data, blobs: blobs.sort(), documents };
}

/** @returns the file, and the summary of the command */
async function runExport(engines: Engines, ...words: string[]) {
  const path = join(folder, `${randomBytes(8).toString('hex')}.archive`);
  const operation = exportOperation(engines, ARCHIVED, { now: () => NOW, random: (bytes) => randomBytes(bytes) });
  const { ok, summary } = await operation.run(['--to', path, ...words], () => undefined, going());
  expect(ok).toBe(true);
  expect(summary).toContain(createHash('sha256').update(readFileSync(path)).digest('hex'));
  return { path, summary };
}

async function exportTo(engines: Engines, ...words: string[]): Promise<string> {
  return (await runExport(engines, ...words)).path;
}

function importFrom(engines: Engines, path: string, signal = going()) {
  return importArchive({ engines, archived: ARCHIVED, path, now: () => NOW, report: () => undefined, signal });
}

/** Yields the same content, and calls `then` when its first piece is read. */
async function* removedMeanwhile(content: AsyncIterable<Uint8Array>, then: () => Promise<unknown>) {
  let done = false;
  for await (const piece of content) {
    if (!done) await then();
    done = true;
    yield piece;
  }
}

const isEmpty = async (engines: Engines) => {
  expect((await engines.events.scan(null, 1)).commits).toEqual([]);
  expect(await problemOfImport(engines.documents)).toBeNull();
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assurance-archive-'));
  full = await store();
  for (const org of ['a', 'b']) {
    await append(full, '-', `name/-/account/${org}-name`, { id: org });
    await append(full, org, `organization/${org}`, {});
    for (let i = 0; i < 30; i += 1) await append(full, org, `environment/${org}-${i % 3}`, { i });
    await append(full, org, `environment/${org}-0`, { large: 'x'.repeat(900_000) });
    await append(full, org, `environment/${org}-1`, { large: 'x'.repeat(900_000) });
    const content = [Buffer.alloc(500_000, org), Buffer.from('end')];
    await full.blobs.put(
      org,
      (async function* () {
        yield* content;
      })(),
      1_000_000,
    );
    for (const { collection } of ARCHIVED) {
      await full.documents.collection(collection).write([{ kind: 'put', id: `${org}-1`, doc: { org } }]);
    }
  }
});

afterAll(async () => {
  for (const engines of opened) await engines.close();
  rmSync(folder, { recursive: true });
});

describe('an archive', () => {
  it('takes all of a store into an empty one, secrets only when asked', async () => {
    const [whole, target] = [await all(full), await store()];
    const header = await importFrom(target, await exportTo(full, '--with-secrets'));
    expect(header.counts).toEqual({ commits: 68, data: 2, blobs: 2, documents: 4 });
    await finishImport({ engines: target, now: () => NOW }, header);
    expect(await all(target)).toEqual(whole);
    const other = await store();
    await importFrom(other, await exportTo(full));
    expect(await all(other)).toEqual({ ...whole, documents: [whole.documents[0], []] });
  });

  it('of one organization holds what is its own, and the register of its name', async () => {
    const target = await store();
    await importFrom(target, await exportTo(full, '--organization', 'a-name'));
    const { commits, blobs, documents } = await all(target);
    expect(new Set(commits.map(({ org, stream }) => `${org} ${stream.split('/')[0]}`))).toEqual(
      new Set(['a organization', 'a environment', '- name']),
    );
    expect(commits).toHaveLength(34);
    expect(blobs.map((blob) => blob[0])).toEqual(['a']);
    expect(documents[0]).toEqual([{ id: 'a-1', doc: { org: 'a' } }]);
  });

  it('is refused by a store that is not empty, which stays as it is', async () => {
    const [path, before] = [await exportTo(full), await all(full)];
    await expect(importFrom(full, path)).rejects.toThrow(/^The store is not empty: it holds name\/-\/account\/a-name/);
    expect(await all(full)).toEqual(before);
    await expect(importFrom(full, join(folder, 'none'))).rejects.toThrow(/^There is no file /);
  });

  it('whose import was interrupted leaves a store that reports this, refuses another archive, and continues with the same one', async () => {
    const [path, other, target] = [await exportTo(full), await exportTo(full), await store()];
    const stopped = new AbortController();
    let blobs = 0;
    const failing: Engines = {
      ...target,
      blobs: {
        ...target.blobs,
        put: (...put) => {
          blobs += 1;
          if (blobs === 2) stopped.abort(new Error('stopped'));
          return target.blobs.put(...put);
        },
      },
    };
    await expect(importFrom(failing, path, stopped.signal)).rejects.toThrow('stopped');
    expect((await target.events.scan(null, 1)).commits).toHaveLength(1);
    expect(await problemOfImport(target.documents)).toMatch(/holds a part of an archive/);
    await expect(importFrom(target, other)).rejects.toThrow(/a part of another archive/);
    const header = await importFrom(target, path);
    expect(await problemOfImport(target.documents)).toMatch(/holds a part of an archive/);
    await finishImport({ engines: target, now: () => NOW }, header);
    expect(await problemOfImport(target.documents)).toBeNull();
    const { documents, ...rest } = await all(full);
    expect(await all(target)).toEqual({ ...rest, documents: [documents[0], []] });
  });

  it('leaves out blobs that are removed before they are read, says so, and has all of those that are removed later', async () => {
    const source = await store();
    const content = (text: string) => Readable.from([Buffer.from(text)]);
    await append(source, 'a', 'organization/a', {});
    for (const text of ['first', 'second', 'third']) await source.blobs.put('a', content(text), 100);
    const remove = () => source.blobs.sweep('a', { after: null, limit: 10, before: NOW * 2 }, async () => new Set());
    let opened = 0;
    const swept: Engines = {
      ...source,
      blobs: Object.assign(Object.create(source.blobs) as Engines['blobs'], {
        async *list() {
          const all: BlobInfo[] = [];
          for await (const info of source.blobs.list('a')) all.push(info);
          yield* all;
        },
        // The second and the third blob are removed while the first is read.
        open: async (org: string, sha256: string) => {
          const pieces = await source.blobs.open(org, sha256);
          opened += 1;
          return pieces === null || opened > 1 ? pieces : removedMeanwhile(pieces, remove);
        },
      }),
    };
    const { path, summary } = await runExport(swept);
    expect(summary).toMatch(
      /: 1 commits, 0 data outside commits, 1 blobs, .* Without 2 blobs that were removed meanwhile\.$/,
    );
    const target = await store();
    await importFrom(target, path);
    expect((await all(target)).blobs).toHaveLength(1);
    // Recorded data that cannot be read is lost, and an archive must not hide that.
    await source.blobs.put('a', content('fourth'), 100);
    const lost = Object.assign(Object.create(source.blobs) as Engines['blobs'], { open: async () => null });
    await expect(exportTo({ ...source, blobs: lost })).rejects.toThrow(/^the blob [0-9a-f]{64} is gone$/);
  });

  it('leaves out data that retention drops while it is written', async () => {
    const source = await store();
    const stream = 'environment/a-0';
    await append(source, 'a', 'organization/a', {});
    const id = uuidv7(NOW, randomBytes(10));
    const draft = { id, org: 'a', stream, at: NOW, actor: 'ada', correlation: 'c' };
    const state = { type: 'SnapshotStateKept', version: 1, data: { large: 'x'.repeat(900_000) } };
    const commit = await seal(source.events, draft, null, [state]);
    expect(await source.events.append(commit)).toBe('appended');
    const events = Object.assign(Object.create(source.events) as Engines['events'], {
      readData: async (org: string, digest: string) => {
        await source.events.dropData(stream, 1, [digest]);
        return source.events.readData(org, digest);
      },
    });
    const header = await importFrom(await store(), await exportTo({ ...source, events }));
    expect(header.counts).toMatchObject({ commits: 2, data: 0 });
  });

  it('never takes the place of a file, and leaves none where it fails', async () => {
    const path = await exportTo(full);
    await expect(exportTo(full, '--organization', 'nobody')).rejects.toThrow(/no organization nobody/);
    const operation = exportOperation(full, ARCHIVED, { now: () => NOW, random: (bytes) => randomBytes(bytes) });
    const run = (...words: string[]) => operation.run(words, () => undefined, going());
    await expect(run('--to', path)).rejects.toThrow(/ exists: choose another name/);
    await expect(run('--to', join(folder, 'none', 'x'))).rejects.toThrow(/cannot be written/);
    for (const words of [[], ['--to'], ['--to', 'a', 'b'], ['--organization', 'a'], ['--to', 'a', '--to', 'b']]) {
      await expect(run(...words)).rejects.toThrow(/^export takes /);
    }
  });
});

describe('a file that is no whole archive is refused before anything is written', () => {
  let path: string;
  let bytes: Buffer;
  let target: Engines;
  const damaged = () => join(folder, 'damaged');
  beforeAll(async () => {
    path = await exportTo(full, '--with-secrets');
    bytes = readFileSync(path);
    target = await store();
  });

  const refused = async (content: Buffer, why: RegExp) => {
    writeFileSync(damaged(), content);
    const text = await importFrom(target, damaged()).then(
      () => 'it was imported',
      (fault: Error) => fault.message,
    );
    expect(text).toMatch(new RegExp(`^The file ${damaged()} .*Nothing was imported\\.$`, 's'));
    expect(text).toMatch(why);
    await isEmpty(target);
  };

  it('when it is cut off anywhere', async () => {
    const cuts = Array.from({ length: 40 }, (_, i) => Math.floor((bytes.length * i) / 40));
    for (const cut of [...cuts, bytes.length - 1]) await refused(bytes.subarray(0, cut), /cut off|empty|damaged/);
  });

  it('when any byte is another', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const other = Buffer.from(bytes);
          other[at] = (other[at] ?? 0) ^ by;
          // Skips bits in the header and padding of gzip that no reader uses.
          fc.pre(!sameText(other));
          await refused(other, /./);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('when its text is another, compressed as it should be', async () => {
    const text = gunzipSync(bytes);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: text.length - 1 }),
        fc.integer({ min: 0, max: 400 }),
        fc.string({ maxLength: 20 }),
        async (at, removed, put) => {
          const other = Buffer.concat([text.subarray(0, at), Buffer.from(put), text.subarray(at + removed)]);
          fc.pre(!other.equals(text));
          await refused(gzipSync(other, { level: 1 }), /./);
        },
      ),
      { numRuns: 60 },
    );
  });

  function sameText(other: Buffer): boolean {
    try {
      return gunzipSync(other).equals(gunzipSync(bytes));
    } catch {
      return false;
    }
  }

  type Lines = Record<string, never>[];
  /** The archive with changed lines and a correct last line. */
  const forged = (change: (lines: Lines) => void, end: object = {}): Buffer => {
    const lines = gunzipSync(bytes)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Lines[number]);
    lines.pop();
    change(lines);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const many = (kind: string) => lines.filter((line) => kind in line).length;
    const counts = { commits: many('commit'), data: many('data'), blobs: many('blob'), documents: many('document') };
    const sha256 = createHash('sha256').update(text).digest('hex');
    return gzipSync(`${text}${JSON.stringify({ end: { ...counts, sha256, ...end } })}\n`);
  };
  const at = (lines: Lines, kind: string, nth = 0) =>
    lines.filter((line) => kind in line)[nth]?.[kind] as never as Record<string, unknown>;

  it.each<[string, RegExp, (lines: Lines) => void]>([
    ['a field too many', /has an invalid commit in line/, (lines) => (at(lines, 'commit')['more'] = 1)],
    ['another field’s type', /has an invalid commit in line/, (lines) => (at(lines, 'commit')['seq'] = '1')],
    ['a digest that is a path', /has an invalid blob in line/, (lines) => (at(lines, 'blob')['sha256'] = '../../x')],
    ['a name without end', /has an invalid blob in line/, (lines) => (at(lines, 'blob')['org'] = 'x'.repeat(9_000))],
    [
      'a name of the language',
      /has an unknown kind of entry/,
      (lines) => lines.splice(3, 0, JSON.parse('{"__proto__":{}}') as never),
    ],
    [
      'a collection of ours',
      /has documents of "imports"/,
      (lines) => (at(lines, 'document')['collection'] = 'imports'),
    ],
    ['a piece of nothing', /an unexpected piece/, (lines) => lines.splice(1, 0, { piece: 'eA==' } as never)],
    [
      'a commit that is missing',
      /chain of hashes: environment\/a-0#2/,
      (lines) =>
        lines.splice(
          lines.findIndex((line) => (line['commit'] as { stream?: string } | undefined)?.stream === 'environment/a-0'),
          1,
        ),
    ],
    ['a commit of another actor', /chain of hashes/, (lines) => (at(lines, 'commit', 5)['actor'] = 'eve')],
    [
      'data that lacks',
      /names data/,
      (lines) =>
        lines.splice(
          lines.findIndex((line) => 'data' in line),
          6,
        ),
    ],
    [
      'larger data than fits',
      /data of 9007199254740991 bytes/,
      (lines) => (at(lines, 'data')['size'] = Number.MAX_SAFE_INTEGER),
    ],
    ['a blob shorter than it says', /lacks a part|another size/, (lines) => (at(lines, 'blob')['size'] = 600_000)],
    [
      'a later format',
      /format version 2; this release reads version 1/,
      (lines) => (lines[0]!['version'] = 2 as never),
    ],
  ])('with a right last line, but %s', async (_, why, change) => {
    await refused(forged(change), why);
  });

  it('with counts that are not so, or with lines after the last', async () => {
    await refused(
      forged(() => undefined, { blobs: 9 }),
      /has 2 blobs, and its last line says 9/,
    );
    await refused(gzipSync(Buffer.concat([gunzipSync(bytes), Buffer.from('{}\n')])), /continues after its last line/);
    await refused(gzipSync(Buffer.alloc(64 * 1024 * 1024, 'x')), /has a line of more than/);
    await refused(Buffer.from('PK'), /damaged/);
  });

  it('and the archive itself is not', async () => {
    writeFileSync(
      damaged(),
      forged(() => undefined),
    );
    const fresh = await store();
    expect((await importFrom(fresh, damaged())).counts.commits).toBe(68);
  });
});
