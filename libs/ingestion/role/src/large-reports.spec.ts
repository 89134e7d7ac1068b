import { RefusalError } from '@assurance/http';
import { LargeReports } from './large-reports';

const LARGE = 20_000;
const REFUSED = new RefusalError({ kind: 'too-many-large-reports', seconds: 10 });

describe('large reports', () => {
  let reports: LargeReports;
  let running: string[];
  const ends = new Map<string, () => void>();
  const report = (org: string, name: string, artifacts = LARGE) =>
    reports.take(org, artifacts, async () => {
      running.push(name);
      await new Promise<void>((end) => ends.set(name, end));
      running.splice(running.indexOf(name), 1);
      return name;
    });
  const settled = () => jest.advanceTimersByTimeAsync(0);
  beforeEach(() => {
    jest.useFakeTimers();
    [reports, running] = [new LargeReports(), []];
    ends.clear();
  });
  afterEach(() => jest.useRealTimers());

  it('of one organization are processed one after the other, those of others and small ones at once', async () => {
    const all = [report('acme', 'a1'), report('acme', 'a2'), report('other', 'o1'), report('acme', 'small', 10)];
    await settled();
    expect([...running].sort()).toEqual(['a1', 'o1', 'small']);
    ends.get('a1')?.();
    await settled();
    expect([...running].sort()).toEqual(['a2', 'o1', 'small']);
    for (const end of ends.values()) end();
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'o1', 'small']);
  });

  it('give up after ten seconds, and those behind them get the next turn', async () => {
    const first = report('acme', 'a1');
    const late = report('acme', 'a2').catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(5_000);
    const next = report('acme', 'a3');
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await late).toEqual(REFUSED);
    ends.get('a1')?.();
    await first;
    await settled();
    expect(running).toEqual(['a3']);
    ends.get('a3')?.();
    expect(await next).toBe('a3');
  });

  it('go on after one that failed', async () => {
    const failing = reports.take('acme', LARGE, () => Promise.reject(new Error('it failed')));
    void report('acme', 'a2');
    await expect(failing).rejects.toThrow('it failed');
    await settled();
    expect(running).toEqual(['a2']);
  });
});
