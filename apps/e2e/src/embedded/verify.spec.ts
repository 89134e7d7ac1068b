import { createHash } from 'node:crypto';
import type { Commit } from '@assurance/storage-ports';
import { inFile, onEveryEngine } from '../support/operated';
import { artifact, digest, environment, flow, item, post, report } from '../support/samples';

interface VerificationReport {
  readonly commits: number;
  readonly faults: number;
  readonly first: readonly { readonly stream: string; readonly seq: number | null; readonly fault: string }[];
}

onEveryEngine((operated) => {
  const caller = () => operated().world.as('member');

  async function verify(): Promise<VerificationReport & { ok: boolean; summary: string }> {
    const { ok, summary, details } = await operated().operate('verify');
    return { ok, summary, ...(details as VerificationReport) };
  }

  /** An environment's stream with two snapshots. */
  async function environmentStream(): Promise<string> {
    const [name, flowName] = [await environment(caller()), await flow(caller())];
    await post(caller(), flowName, artifact(digest(name)));
    await report(caller(), name, [item({ web: digest(name) })]);
    await report(caller(), name, [item({ web: digest(`${name} 2`) }), item({ db: digest(`${name} 3`) })]);
    const sql = `SELECT stream FROM commits WHERE stream LIKE 'environment/%' ORDER BY position DESC LIMIT 1`;
    return inFile(operated().file, (db) => (db.prepare(sql).get() as { stream: string }).stream);
  }

  /** Changes a stored commit while `look` runs, and puts it back. */
  async function tampered(stream: string, seq: number, change: (commit: Commit) => object, look: () => Promise<void>) {
    const write = (text: string) =>
      inFile(operated().file, (db) =>
        db.prepare('UPDATE commits SET body = ? WHERE stream = ? AND seq = ?').run(text, stream, seq),
      );
    const [commit] = await operated().engines.events.read(stream, seq, 1);
    const body = inFile(operated().file, (db) =>
      db.prepare('SELECT body FROM commits WHERE stream = ? AND seq = ?').get(stream, seq),
    ) as { body: string };
    write(JSON.stringify(change(commit!)));
    try {
      await look();
    } finally {
      write(body.body);
    }
  }

  it('reports nothing for an intact store, also during reports', async () => {
    const [result] = await Promise.all([verify(), environmentStream(), environmentStream()]);
    expect(result).toMatchObject({ ok: true, faults: 0, first: [] });
    expect(result.commits).toBeGreaterThan(10);
  });

  it.each([
    [
      'a changed commit',
      2,
      (commit: Commit) => ({ ...commit, actor: 'somebody' }),
      [{ seq: 3, fault: 'it does not follow the commit 2 that is there: prev is not its hash' }],
    ],
    [
      'a changed prev',
      3,
      (commit: Commit) => ({ ...commit, prev: 'a'.repeat(64) }),
      [{ seq: 3, fault: 'it does not follow the commit 2 that is there: prev is not its hash' }],
    ],
    [
      'changed data',
      3,
      ({ events, ...commit }: Commit) => ({
        ...commit,
        events: events.map((event) => ({ ...event, data: event.data?.replace('started', 'stopped') })),
      }),
      [{ seq: 3, fault: expect.stringContaining('the data of SnapshotRecorded does not have the digest') as string }],
    ],
    [
      'a size that is none',
      3,
      ({ events, ...commit }: Commit) => ({ ...commit, events: events.map((event) => ({ ...event, size: 1 })) }),
      [{ seq: 3, fault: expect.stringMatching(/^the data of SnapshotRecorded has \d+ bytes, not 1$/) as string }],
    ],
    [
      'an index that says less',
      3,
      ({ index, ...commit }: Commit) => ({ ...commit, index: { ...index, runs: 'b'.repeat(64) } }),
      [{ seq: 3, fault: 'its index does not agree with the events' }],
    ],
    [
      'a snapshot index that lies',
      3,
      ({ index, ...commit }: Commit) => ({ ...commit, index: { ...index, snapshot: 7 } }),
      [{ seq: 3, fault: 'its index does not agree with the events' }],
    ],
  ])('names %s', async (_, seq, change, faults) => {
    const stream = await environmentStream();
    await tampered(stream, seq, change, async () => {
      const { ok, summary, first } = await verify();
      expect(ok).toBe(false);
      expect(first).toEqual(faults.map((fault) => ({ stream, ...fault })));
      expect(summary).toContain(`the first: ${stream}#3: `);
    });
    expect(await verify()).toMatchObject({ ok: true });
  });

  it('names an id of two commits', async () => {
    const [firstStream, secondStream] = [await environmentStream(), await environmentStream()];
    const [newest] = await operated().engines.events.read(firstStream, 3, 1);
    await tampered(
      secondStream,
      3,
      (commit) => ({ ...commit, id: newest!.id }),
      async () => {
        const { first } = await verify();
        expect(first).toEqual([
          { stream: expect.any(String), seq: 3, fault: expect.stringContaining(`its id ${newest!.id}`) },
        ]);
      },
    );
  });

  it('names a missing commit, and an aggregate state that is ahead', async () => {
    const stream = await environmentStream();
    const rows = inFile(operated().file, (db) => {
      const all = db.prepare('SELECT * FROM commits WHERE stream = ? AND seq >= 2').all(stream);
      db.prepare('DELETE FROM commits WHERE stream = ? AND seq = 2').run(stream);
      return all as Record<string, string | number | null>[];
    });
    const verification = await verify();
    expect(verification.first[0]).toEqual({ stream, seq: 3, fault: 'the commit 2 before it is gone' });
    inFile(operated().file, (db) => db.prepare('DELETE FROM commits WHERE stream = ? AND seq = 3').run(stream));
    const { first } = await verify();
    expect(first).toEqual([
      { stream, seq: 1, fault: 'its stored state has seq 3, which is ahead of its newest commit' },
    ]);
    inFile(operated().file, (db) => {
      for (const row of rows) {
        const names = Object.keys(row);
        const marks = names.map(() => '?').join(', ');
        db.prepare(`INSERT INTO commits (${names.join(', ')}) VALUES (${marks})`).run(...Object.values(row));
      }
    });
    expect(await verify()).toMatchObject({ ok: true });
  });

  it('names missing or changed data outside of commits', async () => {
    const name = await environment(caller());
    const many = Array.from({ length: 400 }, (_, i) => item({ [`web-${i}`]: digest(`${name} ${i}`) }));
    await report(caller(), name, many);
    const chunk = inFile(operated().file, (db) => {
      const { body } = db.prepare('SELECT body FROM commits ORDER BY position DESC LIMIT 1').get() as { body: string };
      const [event] = (JSON.parse(body) as Commit).events;
      expect(event).not.toHaveProperty('data');
      return db.prepare('SELECT digest, bytes FROM data_chunks WHERE digest = ?').get(String(event?.digest)) as {
        digest: string;
        bytes: Buffer;
      };
    });
    const write = (bytes: Buffer) =>
      inFile(operated().file, (db) =>
        db.prepare('UPDATE data_chunks SET bytes = ? WHERE digest = ?').run(bytes, chunk.digest),
      );
    const text = Buffer.from(chunk.bytes).toString();
    expect(createHash('sha256').update(text).digest('hex')).toBe(chunk.digest);
    write(Buffer.from(text.replace('web-7', 'wob-7')));
    expect((await verify()).first).toEqual([
      {
        stream: expect.stringMatching(/^environment\//),
        seq: 2,
        fault: `the data of SnapshotRecorded does not have the digest ${chunk.digest}`,
      },
    ]);
    write(Buffer.from(text));
    expect(await verify()).toMatchObject({ ok: true });
  });

  it('takes no arguments', async () => {
    await expect(operated().operate('verify', 'all')).rejects.toThrow('takes no argument');
  });
});
