import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type AcknowledgedReport, complete, reportManyTimes } from '../support/acknowledged';
import { BOOTSTRAP, keyOf } from '../support/declared';
import { eventually } from '../support/eventually';
import { Place } from '../support/process';
import { environment } from '../support/samples';
import { worldOf } from '../support/world';

/** From which fsync of a thread on all of them fail: a start makes fewer, and then each group of writes makes one. */
const FROM = 400;

describe('a service of which an fsync failed', () => {
  const place = new Place();
  const env = { ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP), ASSURANCE_LOG_LEVEL: 'fatal' };
  afterAll(() => place.clear());

  it('stores nothing more, reports it, and stops, so that a new start finds everything acknowledged', async () => {
    const trace = ['-f', '-qq', '--seccomp-bpf', '-o', join(place.folder, 'trace'), '-e', 'trace=fsync'];
    const service = place.start(env, ['strace', ...trace, '-e', `inject=fsync:error=EIO:when=${FROM}+`]);
    const url = await service.url();
    const [, operations] = /operations +(\S+)\n/.exec(service.out) ?? [];
    const caller = (await worldOf({ url })).as('member');
    const environments = await Promise.all([1, 2, 3, 4].map(() => environment(caller)));
    // A slow request keeps the service from ending before the check.
    const slow = connect(Number(new URL(url).port), '127.0.0.1');
    slow.on('error', () => undefined);
    await once(slow, 'connect');
    const head = ['PUT /api/v2/environments/acme HTTP/1.1', 'host: x', `authorization: Bearer ${keyOf('member')}`];
    slow.write([...head, 'content-type: application/json', 'content-length: 100', '', '{'].join('\r\n'));

    const isEnded = () => service.err !== '';
    const all: AcknowledgedReport[] = await reportManyTimes(caller, {
      run: 'lost',
      environments,
      over: isEnded,
      gone: isEnded,
    });
    expect(all.length).toBeGreaterThan(0);
    const ready = await eventually(
      async () => {
        const answer = await fetch(`${operations}/ready`);
        return [answer.status, await answer.text()];
      },
      ([, text]) => String(text).startsWith('the storage is lost'),
    );
    const why = 'the writer stopped: a write failed to reach the disk';
    expect(ready).toEqual([503, `the storage is lost, and the service ends: ${why}`]);
    slow.destroy();
    expect(await service.ended).toBe(1);
    const lines = service.err.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 60, err: expect.objectContaining({ type: 'StoreLost' }) }),
    ]);

    const again = place.start(env);
    await complete((await worldOf({ url: await again.url() })).as('member'), environments, all);
    expect(await again.stop()).toBe(0);
  }, 120_000);
});
