import { appendAll, makeStream } from '../harness';
import { gate, listening, type Ports, until } from './listener';

export function positions(ports: Ports): void {
  const listen = listening(ports);

  it('counts as lag what the group has not confirmed', async () => {
    const listener = await listen();
    await until(async () => (await listener.consumer.lag()) === 0);
    await listener.consumer.stop();
    await appendAll(ports().events, makeStream([{}, {}, {}]));
    const holdGate = gate();
    const again = await listen({ group: listener.group, first: () => holdGate.opened });
    await until(async () => (await again.consumer.lag()) === 3);
    holdGate.open();
    await until(async () => (await again.consumer.lag()) === 0);
  });

  it('does not move on before the handler has resolved', async () => {
    const commits = makeStream([{}, {}]);
    await appendAll(ports().events, commits);
    const [holdGate, begun] = [gate(), gate()];
    const listener = await listen({
      first: () => {
        begun.open();
        return holdGate.opened;
      },
    });
    const all = await listener.consumer.lag();
    expect(all).toBeGreaterThanOrEqual(commits.length);
    await begun.opened;
    expect(await listener.consumer.lag()).toBe(all);
    holdGate.open();
    await until(async () => (await listener.consumer.lag()) === 0);
    expect(listener.heard(commits)).toBe(true);
  });

  it('goes on for the next consumer of the group where the last one stopped', async () => {
    const before = makeStream([{}, {}, {}]);
    await appendAll(ports().events, before);
    const listener = await listen();
    await until(() => listener.heard(before));
    await until(async () => (await listener.consumer.lag()) === 0);
    await listener.consumer.stop();
    const again = await listen({ group: listener.group });
    expect(await again.consumer.lag()).toBe(0);
    const after = makeStream([{}, {}]);
    await appendAll(ports().events, after);
    await until(() => again.heard(after));
  });

  it('waits with stop for the batch under way, confirms it, and takes no other', async () => {
    const listener = await listen();
    await until(async () => (await listener.consumer.lag()) === 0);
    await listener.consumer.stop();
    const commits = makeStream([{}, {}, {}]);
    await appendAll(ports().events, commits);
    const [holdGate, begun] = [gate(), gate()];
    const again = await listen({
      group: listener.group,
      maxBatch: 1,
      first: () => {
        begun.open();
        return holdGate.opened;
      },
    });
    await begun.opened;
    let stopped = false;
    const stopping = again.consumer.stop().then(() => (stopped = true));
    await Promise.race([stopping, new Promise((resolve) => setTimeout(resolve, 50))]);
    expect(stopped).toBe(false);
    holdGate.open();
    await stopping;
    expect(again.firsts(commits[0]!.stream)).toEqual([commits[0]]);
    const last = await listen({ group: listener.group, first: () => Promise.reject(new Error('not now')) });
    await until(async () => (await last.consumer.lag()) === 2);
  });
}
