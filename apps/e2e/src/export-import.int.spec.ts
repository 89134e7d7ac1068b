import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeDemo } from '@assurance/web/demo';
import type { Caller } from './support/caller';
import { BOOTSTRAP, keyOf } from './support/declared';
import { differences, everyPath, readSettled } from './support/every-get';
import { Place, type Process } from './support/process';
import { artifact, digest, environment, flow, item, post, report } from './support/samples';
import { servers } from './support/servers';
import { worldOf } from './support/world';

const OPERATE = resolve(__dirname, '../../operate/dist/main.js');

type Env = Readonly<Record<string, string>>;
interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('a store that is taken from engine to engine', () => {
  const place = new Place();
  const bootstrap = place.write('bootstrap.yaml', BOOTSTRAP);
  afterAll(() => place.clear());

  const embedded = (folder: string): Env => ({ ASSURANCE_DATA_DIR: join(place.folder, folder) });
  const settings = (store: Env): Env => ({
    ASSURANCE_PUBLIC_URL: 'https://assurance.example.com',
    ASSURANCE_LOG_LEVEL: 'error',
    ASSURANCE_OPERATIONS_PORT: '0',
    ...store,
  });
  const run = (file: string, args: readonly string[], env: Env): Promise<ProgramResult> =>
    promisify(execFile)(process.execPath, [file, ...args], {
      env: { PATH: process.env['PATH'], ...env },
      timeout: 120_000,
      cwd: place.folder,
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (fault: ProgramResult) => fault,
    );
  const operate = (store: Env, ...args: readonly string[]) => run(OPERATE, args, settings(store));

  /** Expects that the store matches its signatures, and that this installation signed the newest checkpoint. */
  async function expectVerified(store: Env): Promise<void> {
    const { code, stdout } = await operate(store, 'verify');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^All \d+ commits are unchanged/)]);
  }

  async function start(store: Env): Promise<{ service: Process; caller: Caller; operations: Env }> {
    const service = place.start({ ...settings(store), ASSURANCE_BOOTSTRAP_FILE: bootstrap });
    const caller = (await worldOf({ url: await service.url() })).as('admin');
    const [, port = ''] = /operations +http:\S+:(\d+)\n/.exec(service.out) ?? [];
    return { service, caller, operations: { ASSURANCE_OPERATIONS_PORT: port } };
  }

  const look = async (caller: Caller, paths: readonly string[]) => {
    const answers = new Map<string, string>();
    const left = [...paths];
    const some = async () => {
      for (let path = left.pop(); path !== undefined; path = left.pop())
        answers.set(path, await readSettled(caller, path));
    };
    await Promise.all([1, 2, 3, 4].map(some));
    return answers;
  };

  /** A shop, and what a shop has seldom: many artifacts, late provenance, names that went. */
  async function fill(caller: Caller): Promise<void> {
    await makeDemo({
      api: `${caller.url}/api/v2`,
      headers: { authorization: `Bearer ${keyOf('admin')}` },
      org: 'acme',
    });
    const [env, large, flowName] = [await environment(caller), await environment(caller), await flow(caller)];
    await report(caller, env, [item({ web: digest('late') })]);
    await post(caller, flowName, artifact(digest('late'), { trail_name: 'late' }));
    await report(
      caller,
      large,
      Array.from({ length: 1_500 }, (_, i) => item({ [`web:${i}`]: digest(`many ${i}`) })),
    );
    const removedEnv = await environment(caller);
    await caller.expect(200, 'PUT', `/environments/acme/${removedEnv}/archive`);
    await caller.expect(200, 'PUT', `/environments/acme/${env}/rename`, { json: { new_name: 'renamed' } });
  }

  it('gives the same answers on each engine', async () => {
    const first = embedded('first');
    const running = await start(first);
    await fill(running.caller);
    await operate({ ...first, ...running.operations }, 'checkpoint');
    const paths = await everyPath(running.caller);
    expect(paths.length).toBeGreaterThan(100);
    const exported = await operate({ ...first, ...running.operations }, 'export', '--to', 'first.archive');
    expect(exported).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Exported all organizations .* SHA-256/),
    });
    const busy = await operate({ ...first, ...running.operations }, 'import', 'first.archive');
    expect(busy).toMatchObject({ code: 1, stderr: expect.stringMatching(/^A service runs at /) });
    // Nothing is written any more, so these answers are those at the time of the export.
    const before = await look(running.caller, paths);
    for (const [path, text] of before) if (text.startsWith('5')) throw new Error(`${path} → ${text}`);
    expect([...before.values()].filter((text) => !/^\d{3} /.test(text)).length).toBeGreaterThan(80);
    await running.service.stop();

    const second = servers();
    const imported = await operate(second, 'import', 'first.archive');
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Imported \d+ commits, [1-9]/) });
    await expectVerified(second);
    const two = await start(second);
    expect(differences(before, await look(two.caller, paths))).toEqual([]);
    const again = await operate(second, 'export', '--to', 'second.archive');
    expect(again).toMatchObject({ code: 0 });
    const full = await operate(second, 'import', 'first.archive');
    expect(full).toMatchObject({ code: 1, stderr: expect.stringMatching(/The store is not empty/) });
    await two.service.stop();

    const third = embedded('third');
    expect(await operate(third, 'import', 'second.archive')).toMatchObject({ code: 0 });
    await expectVerified(third);
    const three = await start(third);
    expect(differences(before, await look(three.caller, paths))).toEqual([]);
    await expectVerified({ ...third, ...three.operations });
    await three.service.stop();
  }, 400_000);
});
