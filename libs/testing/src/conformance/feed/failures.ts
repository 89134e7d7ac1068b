import type { Commit } from '@assurance/storage-ports';
import { appendAll, makeStream } from '../harness';
import { listening, type Ports, until } from './listener';

export function failures(ports: Ports): void {
  const listen = listening(ports);

  it('gives the same commits again when the handler rejects, before any later one', async () => {
    const commits = makeStream([{}, {}, {}, {}]);
    await appendAll(ports().events, commits);
    const offered: Commit[] = [];
    let refusals = 0;
    const listener = await listen({
      maxBatch: 2,
      first: async (batch) => {
        offered.push(...batch.filter(({ stream }) => stream === commits[0]!.stream));
        if (batch.some(({ id }) => id === commits[1]!.id) && refusals < 3) {
          refusals += 1;
          throw new Error('refused by the test');
        }
      },
    });
    await until(() => listener.heard(commits));
    expect(refusals).toBe(3);
    expect(offered.filter(({ id }) => id === commits[1]!.id).length).toBeGreaterThanOrEqual(4);
    expect(listener.firsts(commits[0]!.stream)).toEqual(commits);
  });

  it('keeps for the next consumer what the last one never handled', async () => {
    const commits = makeStream([{}, {}]);
    await appendAll(ports().events, commits);
    let tries = 0;
    const failing = await listen({
      first: () => {
        tries += 1;
        return Promise.reject(new Error('refused by the test'));
      },
    });
    await until(() => tries > 1);
    await failing.consumer.stop();
    const next = await listen({ group: failing.group });
    await until(() => next.heard(commits));
  });

  it('does not hold up a group by the failures of another', async () => {
    let tries = 0;
    await listen({
      first: () => {
        tries += 1;
        return Promise.reject(new Error('refused by the test'));
      },
    });
    const well = await listen();
    const commits = makeStream([{}, {}, {}]);
    await appendAll(ports().events, commits);
    await until(() => well.heard(commits) && tries > 0);
  });
}
