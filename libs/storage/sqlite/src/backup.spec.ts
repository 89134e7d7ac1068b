import { access, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Commit } from '@assurance/storage-ports';
import { makeCommit } from '@assurance/testing/conformance/harness';
import type { EmbeddedEngines } from './open-embedded';
import { openOn, temporaryFolder } from './testing/open-temporary';

async function* once(text: string) {
  yield Buffer.from(text);
}

const quiet = () => undefined;
const going = () => new AbortController().signal;

describe('a backup of the data folder', () => {
  let folder: string;
  let engines: EmbeddedEngines;
  beforeEach(async () => {
    folder = await temporaryFolder();
    engines = await openOn(join(folder, 'data'));
  });
  afterEach(async () => {
    await engines.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('holds all that was acknowledged before it began, while others write on', async () => {
    const acknowledged: { commit: Commit; sha256: string }[] = [];
    let over = false;
    const writer = async (org: string) => {
      while (!over) {
        const { sha256 } = await engines.blobs.put(org, once(`evidence ${acknowledged.length} of ${org}`), 100);
        const commit = makeCommit({ org });
        expect(await engines.events.append(commit)).toBe('appended');
        acknowledged.push({ commit, sha256 });
      }
    };
    const writers = ['one', 'two', 'three'].map(writer);
    while (acknowledged.length < 200) await new Promise((next) => setImmediate(next));
    const before = [...acknowledged];
    const to = join(folder, 'copies', 'first');
    await writeFile(join(folder, 'data', 'secret'), 'known', { mode: 0o600 });
    const copied = await engines.backup(to, ['secret', 'missing'], quiet, going());
    over = true;
    await Promise.all(writers);
    expect(copied.blobs).toBeGreaterThanOrEqual(before.length);
    expect(copied.linked).toBe(copied.blobs);
    expect((await stat(to)).mode & 0o777).toBe(0o700);
    expect((await stat(join(to, 'secret'))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'copies'))).toEqual(['first']);

    const copy = await openOn(to);
    try {
      for (const { commit, sha256 } of before) {
        expect(await copy.events.newest(commit.stream)).toEqual(commit);
        expect(await copy.blobs.stat(commit.org, sha256)).not.toBeNull();
      }
      const newer = makeCommit();
      expect(await copy.events.append(newer)).toBe('appended');
      expect(await engines.events.newest(newer.stream)).toBeNull();
    } finally {
      await copy.close();
    }
  });

  it('has every blob that a commit of it names, though they were put while it was made', async () => {
    let [over, i] = [false, 0];
    const writer = async () => {
      for (; !over; i += 1) {
        const { sha256 } = await engines.blobs.put('org', once(`evidence ${i}`), 100);
        await engines.events.append(makeCommit({ org: 'org', stream: `trail/flow/${sha256}` }));
      }
    };
    const writing = writer();
    const to = join(folder, 'copy');
    // Commits while the database is being copied.
    await engines.backup(to, [], quiet, going());
    over = true;
    await writing;
    const copy = await openOn(to);
    try {
      const { commits } = await copy.events.scan(null, 1_000);
      const streams = commits.filter(({ stream }) => stream.startsWith('trail/flow/'));
      for (const { stream } of streams) {
        expect(await copy.blobs.stat('org', stream.slice('trail/flow/'.length))).not.toBeNull();
      }
    } finally {
      await copy.close();
    }
  });

  it('tells how far it is, and leaves nothing behind when it is stopped', async () => {
    for (const text of ['one', 'two', 'three']) await engines.blobs.put('org', once(text), 100);
    const stop = new AbortController();
    const results: number[] = [];
    const backup = engines.backup(
      join(folder, 'copy'),
      [],
      (done, _, unit) => {
        if (unit !== 'blobs') return;
        results.push(done);
        if (done === 2) stop.abort(new Error('enough'));
      },
      stop.signal,
    );
    await expect(backup).rejects.toThrow('enough');
    expect(results).toEqual([1, 2]);
    expect(await readdir(folder)).toEqual(['data']);
  });

  it('does not take the place of a folder that is there', async () => {
    const to = join(folder, 'copy');
    await mkdir(to);
    await writeFile(join(to, 'mine'), 'mine');
    await expect(engines.backup(to, [], quiet, going())).rejects.toThrow();
    expect((await readdir(folder)).sort()).toEqual(['copy', 'data']);
    await access(join(to, 'mine'));
  });
});
