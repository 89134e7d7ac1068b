import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { BOOTSTRAP } from '../support/declared';
import { Place } from '../support/process';
import { digest, environment, item, report } from '../support/samples';
import { worldOf } from '../support/world';

const OPERATE = resolve(__dirname, '../../../operate/dist/main.js');

describe('an archive that is imported', () => {
  const place = new Place();
  afterAll(() => place.clear());

  const operate = async (folder: string, port: string, ...words: readonly string[]) => {
    const env = {
      PATH: process.env['PATH'],
      ASSURANCE_DATA_DIR: join(place.folder, folder),
      ASSURANCE_OPERATIONS_PORT: port,
      ASSURANCE_LOG_LEVEL: 'error',
    };
    const { stdout } = await promisify(execFile)(process.execPath, [OPERATE, ...words], { env, cwd: place.folder });
    return stdout;
  };

  it('is signed by the importing installation, which verifies it and continues from there', async () => {
    const bootstrap = { ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP) };
    const first = place.start(bootstrap);
    const caller = (await worldOf({ url: await first.url() })).as('admin');
    const env = await environment(caller);
    await report(caller, env, [item({ web: digest('1') })]);
    const [, port = ''] = /operations +http:\S+:(\d+)\n/.exec(first.out) ?? [];
    // Nothing is left to sign. The file is imported in the order of this store, so it adds nothing for the next checkpoint.
    await operate('data', port, 'checkpoint');
    await operate('data', port, 'export', '--to', 'all.archive');
    await operate('data', port, 'export', '--organization', 'acme', '--to', 'acme.archive');
    expect(await first.stop()).toBe(0);

    for (const archive of ['acme', 'all']) {
      expect(await operate(archive, '0', 'import', `${archive}.archive`)).toMatch(/^Imported \d+ commits/);
    }
    expect(newestIn(await operate('acme', '0', 'verify'))[0]).toBe(1);
    const [checkpoints, newest] = newestIn(await operate('all', '0', 'verify'));
    expect(checkpoints).toBeGreaterThan(1);

    const again = place.start({ ...bootstrap, ASSURANCE_DATA_DIR: join(place.folder, 'all') });
    const there = (await worldOf({ url: await again.url() })).as('admin');
    await report(there, env, [item({ web: digest('2') })]);
    const [, newPort = ''] = /operations +http:\S+:(\d+)\n/.exec(again.out) ?? [];
    await operate('all', newPort, 'checkpoint');
    expect(newestIn(await operate('all', newPort, 'verify', newest))[0]).toBeGreaterThan(checkpoints);
    expect(await again.stop()).toBe(0);
  }, 180_000);
});

/** The number of checkpoints that `verify` found correct, and the hash of the newest. */
function newestIn(text: string): readonly [number, string] {
  const [, count, newest = ''] =
    /^All \d+ commits .*; (\d+) checkpoints? agrees?, the newest is (\w{64})\.\n$/.exec(text) ?? [];
  if (count === undefined) throw new Error(text);
  return [Number(count), newest];
}
