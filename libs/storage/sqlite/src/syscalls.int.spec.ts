import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { sha256 } from '@assurance/kernel';
import { openOn, temporaryFolder } from './testing/open-temporary';
import { traceFew } from './testing/strace-child';

/** System calls of the writer's thread for an append and for its end, and the errors that the test injects. `kill.spec.ts` tests kills. */
const WAYS = {
  pwrite64: ['EIO', 'ENOSPC'],
  fsync: ['EIO', 'ENOSPC'],
  ftruncate: ['EIO'],
  pread64: ['EIO'],
  // A lock that another process holds, and a lock that fails because of the disk.
  fcntl: ['EAGAIN', 'EIO'],
} as const;
const CALLS = Object.keys(WAYS) as (keyof typeof WAYS)[];
/** Other calls that write. If an append used one of them, this test would not cover it. */
const WATCHED = ['write', 'writev', 'pwritev', 'fdatasync', 'sync_file_range', 'fallocate', 'rename', 'unlink'];
const COMMITS = 6;
const STREAM = 'stream/0';

interface Window {
  /** How many such calls the thread made on the database's files: before the first append, and in total. */
  readonly before: number;
  readonly all: number;
}

describe('an append with a failing system call', () => {
  const windows = new Map<string, Window>();
  let folder: string;
  beforeEach(async () => (folder = await temporaryFolder()));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const traced = (calls: readonly string[], inject: string | null) =>
    traceFew(join(folder, 'data'), join(folder, 'trace'), calls, inject);

  beforeAll(async () => {
    folder = await temporaryFolder();
    const { lines, trace } = await traced([...CALLS, ...WATCHED], null);
    expect(lines.at(-1)).toBe('closed');
    const opened = trace.findIndex((line) => /write\(1.*"open\\n"/.test(line));
    const [writer] = trace.find((line) => /pwrite64\(.*assurance\.db-wal/.test(line))?.split(' ') ?? [];
    expect(opened).toBeGreaterThan(0);
    const isOwn = (line: string) => line.startsWith(`${writer} `);
    for (const call of CALLS) {
      const made = (line: string) => isOwn(line) && new RegExp(` ${call}\\(\\d+<[^>]*assurance\\.db`).test(line);
      windows.set(call, { before: trace.slice(0, opened).filter(made).length, all: trace.filter(made).length });
    }
    const others = trace.slice(opened).filter((line) => isOwn(line) && / (\w+)\(\d+<.*assurance\.db/.test(line));
    expect(others.filter((line) => !CALLS.some((call) => line.includes(` ${call}(`)))).toEqual([]);
    await rm(folder, { recursive: true });
  });

  const cases = CALLS.flatMap((call) =>
    WAYS[call].flatMap((way) =>
      (['first', 'second', 'middle', 'last'] as const).map((which) => ({ call, way, which })),
    ),
  );
  // SQLite waits ten seconds for its own lock that it could not release.
  const LONGEST_MS = 60_000;
  it.each(cases)(
    'keeps what was acknowledged, whole ($call $way, the $which)',
    async ({ call, way, which }) => {
      const { before = 0, all = 0 } = windows.get(call) ?? {};
      expect(all).toBeGreaterThan(before);
      const places = { first: 1, second: 2, middle: Math.ceil((all - before) / 2), last: all - before };
      const { lines, trace } = await traced(
        [call],
        `${call}:error=${way}:when=${before + Math.min(places[which], all - before)}`,
      );
      const [hit, failed, items] = [
        trace.filter((line) => line.includes('INJECTED')),
        lines.filter((line) => line.startsWith('failed ')),
        lines.filter((line) => line.startsWith(STREAM)),
      ];
      expect(hit).not.toEqual([]);
      // The process works again, or reports why it cannot. It reports no other error, and never reports an append as done that is not.
      for (const line of failed) expect(line).toMatch(/^failed Store(Unavailable|Full): ./);
      if (items.length < COMMITS) expect(lines.at(-1)).toMatch(/^Store(Unavailable|Full): ./);

      const engines = await openOn(join(folder, 'data'));
      const stored = await engines.events.read(STREAM, 1, 100);
      expect(stored.length).toBeGreaterThanOrEqual(items.length);
      for (const [i, commit] of stored.entries()) {
        const previous = stored[i - 1];
        expect([commit.seq, commit.prev]).toEqual([i + 1, previous === undefined ? null : commitHash(previous)]);
        const text = JSON.stringify(`${i + 1}`.repeat(300_000));
        expect((await engines.events.readData('org', sha256(text))) === text).toBe(true);
      }
      const last = stored.at(-1);
      const seq = stored.length + 1;
      const next = { id: 'next', org: 'org', stream: STREAM, seq, at: seq, actor: 'a', correlation: 'c', events: [] };
      const prev = last === undefined ? null : commitHash(last);
      expect(await engines.events.append({ ...next, prev })).toBe('appended');
      await engines.close();
    },
    LONGEST_MS,
  );
});
