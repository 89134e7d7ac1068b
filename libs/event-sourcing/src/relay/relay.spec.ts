import { setImmediate as turn } from 'node:timers/promises';
import { type Commit, type Documents, StoreUnavailable } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { makeCommit } from '@assurance/testing/conformance/harness';
import type { ChangeSource, Publisher } from './change-source';
import { Relay } from './relay';

/** How long an attempt of these publishers takes (milliseconds). */
const ATTEMPT_MS = 200;
/** How long a source waits for commits (milliseconds). */
const WAIT_MS = 1_000;

/** Time that passes only while everybody sleeps and no document is read or written. */
class Time {
  /** Milliseconds. */
  now = 1_000_000;
  private readonly sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  private operations = 0;

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.sleepers.push({ at: this.now + ms, wake }));
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await turn();
      if (this.operations > 0) continue;
      const next = this.sleepers.sort((a, b) => a.at - b.at).shift();
      if (next === undefined) continue;
      this.now = Math.max(this.now, next.at);
      next.wake();
    }
  }

  pass(ms: number): Promise<void> {
    const end = this.now + ms;
    void this.sleep(ms);
    return this.until(() => this.now >= end);
  }

  /** Documents whose reads and writes take no time. */
  stopDuring({ collection }: Documents): Documents {
    const count = <T>(operation: Promise<T>): Promise<T> => {
      this.operations += 1;
      return operation.finally(() => (this.operations -= 1));
    };
    return {
      collection(definition) {
        const all = collection(definition);
        return Object.assign(Object.create(all) as typeof all, {
          get: (id: string) => count(all.get(id)),
          merge: (...args: Parameters<typeof all.merge>) => count(all.merge(...args)),
        });
      },
    } as Documents;
  }
}

/** A relay as one of several processes runs it. */
interface Process {
  readonly relay: Relay;
  readonly sent: readonly Commit[];
  /** Whether Kafka takes nothing of it; whether MongoDB gives it no new commits. */
  isBroken: boolean;
  isDeaf: boolean;
}

describe('the lag of a relay', () => {
  let time: Time;
  let documents: Documents;
  let close: () => Promise<void>;
  let commits: Commit[];
  let faults: unknown[];
  let processes: Process[];
  beforeEach(async () => {
    const { engines, ...opened } = await openTemporary();
    time = new Time();
    documents = time.stopDuring({ collection: (definition) => engines.documents.collection(definition) } as Documents);
    close = opened.close;
    [commits, faults, processes] = [[], [], []];
  });
  afterEach(async () => {
    let isOver = false;
    for (const process of processes) process.isDeaf = false;
    const stopped = Promise.all(processes.map(({ relay }) => relay.stop())).then(() => (isOver = true));
    await time.until(() => isOver);
    await stopped;
    await close();
  });

  const sourceOf = (process: Pick<Process, 'isDeaf'>): ChangeSource => ({
    follow(position) {
      let next = position === null ? commits.length : Number(position);
      return Promise.resolve({
        async next() {
          do await time.sleep(next === commits.length ? WAIT_MS : 0);
          while (process.isDeaf);
          const batch = commits.slice(next);
          next = commits.length;
          return batch.length === 0 ? null : { commits: batch, position: String(next) };
        },
        close: () => Promise.resolve(),
      });
    },
    async *since() {
      if (commits.length > 0) yield commits;
    },
  });

  const start = (): Process => {
    const sent: Commit[] = [];
    const state = { isBroken: false, isDeaf: false };
    const publisher: Publisher = {
      async publish(batch) {
        await time.sleep(ATTEMPT_MS);
        if (state.isBroken) throw new StoreUnavailable('Kafka did not take messages');
        sent.push(...batch);
      },
      messageCount: () => Promise.resolve(commits.length),
    };
    const relay = new Relay({
      source: sourceOf(state),
      publisher,
      documents,
      id: `relay-${processes.length}`,
      elapsed: () => time.now,
      sleep: (ms) => time.sleep(ms),
      onFault: (fault) => faults.push(fault),
    });
    const process = Object.assign(state, { relay, sent });
    processes.push(process);
    return process;
  };
  const startAndFollow = async () => {
    const process = start();
    await time.until(() => process.relay.status().active);
    await time.pass(5 * WAIT_MS);
    return process;
  };
  const greatestLag = () => Math.max(...processes.map(({ relay }) => relay.status().lag ?? 0));

  it('is 0 while no commit waits', async () => {
    const process = await startAndFollow();
    commits.push(makeCommit());
    await time.pass(60_300);
    expect(process.relay.status()).toEqual({ active: true, published: 1, lag: 0 });
  });

  it('grows while no attempt is acknowledged, and is 0 again after one was', async () => {
    const process = await startAndFollow();
    process.isBroken = true;
    commits.push(makeCommit());
    for (const seconds of [10, 100, 1_000]) {
      const before = greatestLag();
      await time.pass(seconds * 1_000);
      expect(process.relay.status().active).toBe(true);
      expect(greatestLag() - before).toBeGreaterThanOrEqual((seconds - 1) * 1_000);
    }
    expect(faults.length).toBeGreaterThan(100);
    process.isBroken = false;
    await time.pass(5 * WAIT_MS);
    expect(process.relay.status()).toEqual({ active: true, published: 1, lag: 0 });
  });

  it('grows while nobody knows whether commits wait', async () => {
    const process = await startAndFollow();
    process.isDeaf = true;
    await time.pass(90_000);
    expect(greatestLag()).toBeGreaterThanOrEqual(89_000);
  });

  it('goes on growing where another process takes over and fails too', async () => {
    await startAndFollow();
    const second = start();
    await time.pass(5 * WAIT_MS);
    for (const process of processes) process.isBroken = true;
    commits.push(makeCommit());
    await time.until(() => second.relay.status().active);
    await time.pass(90_000);
    expect(greatestLag()).toBeGreaterThanOrEqual(90_000);
  });

  it('is soon that of another process where one fails and the other does not', async () => {
    const first = await startAndFollow();
    const second = start();
    await time.pass(5 * WAIT_MS);
    first.isBroken = true;
    commits.push(makeCommit());
    await time.pass(15_000);
    expect(processes.map(({ relay }) => relay.status())).toEqual([
      { active: false, published: 0, lag: null },
      { active: true, published: 1, lag: 0 },
    ]);
    expect(second.sent).toEqual(commits);
  });
});
