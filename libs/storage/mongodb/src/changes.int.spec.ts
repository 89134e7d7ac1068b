import { randomBytes } from 'node:crypto';
import type { Changes } from '@assurance/event-sourcing/relay/change-source';
import { sha256 } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { type MongoEngines, openMongo } from './open-mongo';

const AT = 1_700_000_000_000;

function commit(n: number): Commit {
  const text = JSON.stringify({ n });
  const event = { type: 'SomethingHappened', version: 1, digest: sha256(text), size: text.length, data: text };
  const names = {
    id: `commit-${n}`,
    org: 'org',
    stream: `environment/${n}`,
    actor: 'actor',
    correlation: 'correlation',
  };
  return { ...names, seq: 1, at: AT + n * 1_000, prev: null, events: [event] };
}

async function heardOf(changes: Changes, count: number) {
  const commits: Commit[] = [];
  let position = '';
  while (commits.length < count) {
    const batch = await changes.next();
    if (batch === null) continue;
    commits.push(...batch.commits);
    position = batch.position;
  }
  return { commits, position };
}

describe('changes', () => {
  let engines: MongoEngines;
  beforeAll(async () => {
    engines = await openMongo({
      ...freshMongodb(),
      now: Date.now,
      steady: () => performance.now(),
      random: randomBytes,
    });
  });
  afterAll(() => engines.close());

  it('deliver each commit once, in the order of acceptance, and continue from a position', async () => {
    const all = Array.from({ length: 40 }, (_, n) => commit(n));
    const first = await engines.changes.follow(null);
    for (const commit of all.slice(0, 20)) await engines.events.append(commit);
    const heard = await heardOf(first, 20);
    expect(heard.commits).toEqual(all.slice(0, 20));
    await first.close();
    await Promise.all(all.slice(20).map((commit) => engines.events.append(commit)));
    const second = await engines.changes.follow(heard.position);
    const { commits } = await heardOf(second, 20);
    await second.close();
    const byTime = [...commits].sort((a, b) => a.at - b.at);
    expect(byTime).toEqual(all.slice(20));
  });

  it('reads what was made since a time, by stream', async () => {
    const results: Commit[] = [];
    for await (const page of engines.changes.since(AT + 5_000)) results.push(...page);
    expect(results.map(({ at }) => at).sort()).toEqual(Array.from({ length: 35 }, (_, n) => AT + (n + 5) * 1_000));
    expect(results.map(({ stream }) => stream)).toEqual(results.map(({ stream }) => stream).sort());
  });

  it('says that it cannot resume where what followed a position is gone', async () => {
    const begun = await engines.changes.follow(null);
    await engines.events.append(commit(40));
    const { position } = await heardOf(begun, 1);
    await begun.close();
    // A token begins with its time. This one is from 1970, and no oplog reaches back so far.
    const { _data } = JSON.parse(position) as { _data: string };
    const changes = await engines.changes.follow(JSON.stringify({ _data: `82${'00000001'}${_data.slice(10)}` }));
    await expect(changes.next()).rejects.toMatchObject({ name: 'CannotResume' });
    await changes.close();
  });
});
