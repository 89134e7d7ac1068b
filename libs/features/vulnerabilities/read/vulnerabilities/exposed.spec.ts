import { exposedPeriods } from './exposed';

const run = (from: number, until: number | null, environment = 'e1') => ({
  environment,
  from,
  until,
  isRunning: false,
});

describe('the times in which environments were exposed', () => {
  const periods = (...runs: readonly (readonly ReturnType<typeof run>[])[]) => {
    const byArtifact = new Map(runs.map((own, at) => [String(at), own]));
    return exposedPeriods(byArtifact.keys(), byArtifact).map(({ environment, first, goneSnapshot }) => [
      environment,
      first,
      goneSnapshot,
    ]);
  };

  it('are one where runs overlap or follow on each other, the newest first', () => {
    expect(periods([run(1, 4), run(9, 11)], [run(3, 6), run(6, 7)])).toEqual([
      ['e1', 9, 11],
      ['e1', 1, 7],
    ]);
  });

  it('do not end while something runs, nor where no snapshot tells the end', () => {
    expect(periods([run(1, 2), { ...run(5, null), isRunning: true }], [run(6, 7)])).toEqual([
      ['e1', 5, null],
      ['e1', 1, 2],
    ]);
    expect(periods([run(5, null)])).toEqual([['e1', 5, null]]);
  });

  it('are those of each environment', () => {
    expect(periods([run(1, 4), run(2, 3, 'e2')], [run(5, 6, 'e2')])).toEqual([
      ['e2', 5, 6],
      ['e2', 2, 3],
      ['e1', 1, 4],
    ]);
    expect(periods()).toEqual([]);
  });
});
