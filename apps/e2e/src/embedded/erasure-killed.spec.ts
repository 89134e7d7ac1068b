import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { BOOTSTRAP } from '../support/declared';
import { Place, type Process } from '../support/process';
import { artifact, digest, flow, post } from '../support/samples';
import { worldOf } from '../support/world';

/** In every trail of the organization that is erased. */
const MARK = 'zebra';
const TRAILS = 40;

describe('a service that is killed while it erases an organization', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  async function start(): Promise<Process> {
    const bootstrap = place.write('bootstrap.yaml', BOOTSTRAP);
    const service = place.start({ ASSURANCE_BOOTSTRAP_FILE: bootstrap, ASSURANCE_LOG_LEVEL: 'error' });
    await service.url();
    return service;
  }

  /** The command, as an operator gives it. */
  function operate(service: Process, ...words: readonly string[]): Process {
    const [, port = ''] = / {2}operations +http:\S+:(\d+)\n/.exec(service.out) ?? [];
    return place.start({ ASSURANCE_OPERATIONS_PORT: port }, [], 'operate', words);
  }

  async function runOperation(service: Process, ...words: readonly string[]): Promise<string> {
    const command = operate(service, ...words);
    return (await command.ended) === 0 ? command.out : `${command.out}${command.err}`;
  }

  function inFile<T>(read: (db: DatabaseSync) => T): T {
    const db = new DatabaseSync(join(place.folder, 'data/assurance.db'), { readOnly: true });
    try {
      return read(db);
    } finally {
      db.close();
    }
  }
  const trails = () =>
    inFile((db) => Number(db.prepare(`SELECT count(*) AS n FROM commits WHERE stream LIKE 'trail/%'`).get()?.['n']));

  it('continues after each kill, and has the same result as without one', async () => {
    const words = ['erase-organization', 'acme', '--confirm', 'acme'];
    let service = await start();
    const caller = (await worldOf({ url: await service.url() })).as('member');
    const name = await flow(caller);
    for (let i = 0; i < TRAILS; i += 1) {
      await post(caller, name, artifact(digest(`${MARK} ${i}`), { trail_name: `${MARK}-${i}` }));
    }
    await runOperation(service, 'checkpoint');
    const all = trails();
    const command = operate(service, ...words);
    // When all are gone it waits for late requests: it is not at its end either way.
    while (trails() === all) await setTimeout(2);
    await service.kill();
    expect(await command.ended).not.toBe(0);
    service = await start();
    expect(await runOperation(service, 'verify')).toContain('That was not ended: run erase-organization again.');
    expect(await runOperation(service, ...words)).toContain("Organization 'acme' was erased");
    expect(trails()).toBe(0);
    const erased = /Organization acme was erased by operator at \S+: \d+ streams, \d+ events\.\n$/;
    expect(await runOperation(service, 'verify')).toMatch(erased);
    const archive = join(place.folder, 'all.archive');
    await runOperation(service, 'export', '--to', archive);
    expect(gunzipSync(readFileSync(archive)).includes(MARK)).toBe(false);
    expect(await service.stop()).toBe(0);
    const elsewhere = { ASSURANCE_DATA_DIR: join(place.folder, 'elsewhere'), ASSURANCE_OPERATIONS_PORT: '0' };
    const alone = async (...words: readonly string[]) => {
      const command = place.start(elsewhere, [], 'operate', words);
      expect([await command.ended, command.err]).toEqual([0, expect.any(String)]);
      return command.out;
    };
    await alone('import', archive);
    expect(await alone('verify')).toMatch(erased);
    const left = inFile((db) => JSON.stringify(db.prepare(`SELECT * FROM documents_redacted_chunks`).all()));
    expect(left).toContain('"erased');
    expect(left).not.toContain(MARK);
  }, 120_000);
});
