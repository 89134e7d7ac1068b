import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs the reporter as an older Node would, by the number that this Node gives of itself. */
function runOn(version: string, ...args: string[]) {
  const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const older = `data:text/javascript,${encodeURIComponent(versions)}`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', older, join(__dirname, '../dist/main.js'), ...args],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

describe('the reporter on a Node', () => {
  it.each(['18.20.8', '23.11.0'])('refuses %s, which is too old, in a sentence', (version) => {
    const stderr = `The reporter needs Node 24 or later; this is Node ${version}.\n`;
    expect(runOn(version, '--config', '/nowhere.yaml')).toEqual({ status: 1, stdout: '', stderr });
  });

  it.each(['24.0.0', '26.1.0'])('begins on %s', (version) => {
    expect(runOn(version, '--config', '/nowhere.yaml').stderr).toContain("open '/nowhere.yaml'");
  });
});
