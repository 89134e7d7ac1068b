import { appendAll, makeCommit, makeEvent, makeStream } from '../harness';
import { listening, type Ports, until } from './listener';

const STREAMS = 6;
const LENGTH = 12;

export function deliveries(ports: Ports): void {
  const listen = listening(ports);

  it('gives a new group every commit from the first on', async () => {
    const before = makeStream([{}, {}, {}]);
    await appendAll(ports().events, before);
    const listener = await listen();
    await until(() => listener.heard(before));
  });

  it('gives what is appended while it runs', async () => {
    const listener = await listen();
    await until(async () => (await listener.consumer.lag()) === 0);
    for (const commit of makeStream([{}, {}, {}])) {
      await appendAll(ports().events, [commit]);
      await until(() => listener.heard([commit]));
    }
  });

  it('gives each group everything, whatever the others do', async () => {
    const [a, b] = [await listen(), await listen({ maxBatch: 1 })];
    const commits = makeStream([{}, {}, {}, {}]);
    await appendAll(ports().events, commits);
    await until(() => a.heard(commits) && b.heard(commits));
  });

  it('gives commits as they were appended', async () => {
    const { data: _, ...outside } = makeEvent();
    const index = { snapshot: 1, full: 1, runs: 'a'.repeat(64), runsCounted: 'b'.repeat(64) };
    const commit = makeCommit({
      index,
      events: [makeEvent({ '\u20ac': ['\u0000', 1e21, null, '\u{1f600}'] }), outside],
    });
    await appendAll(ports().events, [commit]);
    const listener = await listen();
    await until(() => listener.heard([commit]));
    expect(listener.firsts(commit.stream)).toEqual([commit]);
  });

  it('keeps the order of each stream while many are appended at once', async () => {
    const listener = await listen({ maxBatch: 7 });
    const streams = Array.from({ length: STREAMS }, () => makeStream(Array.from({ length: LENGTH }, () => ({}))));
    await Promise.all(streams.map((commits) => appendAll(ports().events, commits)));
    await until(() => listener.heard(streams.flat()));
    for (const commits of streams) expect(listener.firsts(commits[0]!.stream)).toEqual(commits);
  });

  it('shares a group among its consumers, and goes on with those that stay', async () => {
    const listener = await listen({ maxBatch: 2 });
    const other = await listen({ group: listener.group, maxBatch: 2 });
    const together = makeStream([{}, {}, {}, {}, {}, {}]);
    await appendAll(ports().events, together);
    await until(() => together.every((commit) => listener.heard([commit]) || other.heard([commit])));
    await listener.consumer.stop();
    const later = makeStream([{}, {}, {}]);
    await appendAll(ports().events, later);
    await until(() => other.heard(later));
  });
}
