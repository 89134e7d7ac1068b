import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { watchHolds } from './watch-holds';

describe('the time for which the main thread is held', () => {
  const holds: number[] = [];
  let stop: () => void;
  beforeEach(() => {
    holds.length = 0;
    stop = watchHolds((seconds) => holds.push(seconds));
  });
  afterEach(() => stop());

  it('measures work during which no timer runs', async () => {
    await setTimeout(30);
    compute(120);
    await setTimeout(30);
    expect(Math.max(...holds)).toBeGreaterThan(0.08);
  });

  it('does not count other threads that use the processor, nor waiting', () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    const now = { wall: 0, cpu: 0 };
    const results: number[] = [];
    const end = watchHolds((seconds) => results.push(seconds), { wall: () => now.wall, cpu: () => now.cpu });
    for (const [wall, cpu] of [
      [10, 9],
      [500, 4],
      [200, 60],
      [90, 90],
    ] as const) {
      now.wall += wall;
      now.cpu += cpu;
      jest.advanceTimersByTime(10);
    }
    end();
    jest.useRealTimers();
    expect(results).toEqual([0.06, 0.08]);
  });

  describe('of a thread that rested', () => {
    let server: Server;
    beforeAll((done) => void (server = createServer((_, response) => (compute(60), response.end())).listen(0, done)));
    afterAll((done) => void server.close(done));

    it('measures work that a request begins', async () => {
      await setTimeout(300);
      await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await setTimeout(30);
      expect(Math.max(...holds)).toBeGreaterThan(0.03);
    });
  });

  it('is looked at less often while the thread rests', () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    const now = { wall: 0, cpu: 0 };
    let looks = 0;
    const end = watchHolds(() => undefined, { wall: () => now.wall, cpu: () => ((looks += 1), now.cpu) });
    const looked = (share: number) => {
      looks = 0;
      for (let i = 0; i < 100; i += 1) {
        now.wall += 10;
        now.cpu += 10 * share;
        jest.advanceTimersByTime(10);
      }
      return looks;
    };
    const counts = [looked(1), looked(0), looked(0), looked(1)];
    end();
    jest.useRealTimers();
    expect(counts).toEqual([100, 24, 20, expect.any(Number)]);
    expect(counts[3]).toBeGreaterThan(90);
  });
});

/** Computes until it has used this processor time. */
function compute(milliseconds: number): void {
  for (const start = process.threadCpuUsage().user; process.threadCpuUsage().user - start < milliseconds * 1_000;);
}
