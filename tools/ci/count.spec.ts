import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('the count of a test run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'count-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function count(report: object | null, exitCode: number): string {
    const file = join(folder, 'report.json');
    rmSync(file, { force: true });
    if (report !== null) writeFileSync(file, JSON.stringify(report));
    const args = [join(__dirname, 'count.mjs'), file, String(exitCode)];
    return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
  }

  it('lists what passed', () => {
    expect(count({ numPassedTests: 12, numFailedTests: 0, numRuntimeErrorTestSuites: 0 }, 0)).toBe('12 0');
  });

  it('adds suites that did not load to the tests that failed', () => {
    expect(count({ numPassedTests: 12, numFailedTests: 2, numRuntimeErrorTestSuites: 1 }, 1)).toBe('12 3');
  });

  it.each([
    ['there is no report', null, 1, '0 1'],
    ['the report was written by a run that then failed to end', { numPassedTests: 5, numFailedTests: 0 }, 124, '5 1'],
    ['no test ran', { numPassedTests: 0, numFailedTests: 0 }, 0, '0 1'],
  ])('counts a failure when %s', (_when, report, exitCode, counted) => {
    expect(count(report, exitCode)).toBe(counted);
  });
});
