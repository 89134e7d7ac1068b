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

  it('is told of work that lets no timer run', async () => {
    await setTimeout(30);
    for (const start = process.threadCpuUsage().user; process.threadCpuUsage().user - start < 120_000;);
    await setTimeout(30);
    expect(Math.max(...holds)).toBeGreaterThan(0.08);
  });

  it('is told of no other thread that holds the processor, nor of waiting', () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    const now = { wall: 0, cpu: 0 };
    const told: number[] = [];
    const end = watchHolds((seconds) => told.push(seconds), { wall: () => now.wall, cpu: () => now.cpu });
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
    expect(told).toEqual([0.06, 0.08]);
  });
});
