import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BOOTSTRAP } from '../support/declared';
import { freePort } from '../support/free-port';
import { Place } from '../support/process';
import { environment } from '../support/samples';
import { worldOf } from '../support/world';

const ENVIRONMENTS = 300;

describe('a service that makes its derived documents again', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  it('answers /live meanwhile, is not ready, and then has everything', async () => {
    const env = {
      ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
      ASSURANCE_OPERATIONS_PORT: String(await freePort()),
    };
    const first = place.start(env);
    const member = (await worldOf({ url: await first.url() })).as('member');
    await Promise.all(Array.from({ length: ENVIRONMENTS }, () => environment(member)));
    expect(await first.stop()).toBe(0);
    rmSync(join(place.folder, 'data/derived.db'));

    const second = place.start(env);
    let listens = false;
    const url = second.url().then((result) => ((listens = true), result));
    const meanwhile = new Set<string>();
    const operations = `http://127.0.0.1:${env.ASSURANCE_OPERATIONS_PORT}`;
    while (!listens) {
      const answers = await Promise.all(
        ['live', 'ready'].map(async (path) => {
          const answer = await fetch(`${operations}/${path}`);
          return `${path} ${answer.status} ${await answer.text()}`;
        }),
      ).catch(() => []);
      if (second.err.includes('derived documents are made again')) for (const status of answers) meanwhile.add(status);
    }
    expect([...meanwhile]).toEqual(expect.arrayContaining(['live 200 OK', 'ready 503 the service is starting']));
    const again = (await worldOf({ url: await url })).as('member');
    expect((await again.get<unknown[]>('/environments/acme')).length).toBe(ENVIRONMENTS);
    expect(await second.stop()).toBe(0);
  }, 120_000);
});
