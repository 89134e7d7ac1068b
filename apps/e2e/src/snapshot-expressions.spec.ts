import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { Caller } from './support/caller';
import { startAtTime } from './support/deployments';
import { digest, environment, item, report } from './support/samples';
import { TestClock } from './support/test-clock';
import { onEveryDeployment, worldOf } from './support/world';

const escaped = (expr: string) => encodeURIComponent(expr);
const get = (caller: Caller, env: string, expr: string) =>
  caller.get<SnapshotAnswer>(`/snapshots/acme/${env}/${escaped(expr)}`);
const refused = (caller: Caller, status: number, env: string, expr: string) =>
  caller.refused(status, 'GET', `/snapshots/acme/${env}/${escaped(expr)}`);
const listed = async (caller: Caller, env: string, query: string) =>
  (await caller.get<SnapshotListItem[]>(`/snapshots/acme/${env}?${query}`)).map(({ index }) => index);

async function withSnapshots(caller: Caller, count: number): Promise<string> {
  const env = await environment(caller);
  for (let i = 1; i <= count; i += 1) await report(caller, env, [item({ [`a:${i}`]: digest(`${env} ${i}`) })]);
  return env;
}

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const text = (query: string, resolved: string, count: number) => ({
    message: `Org: 'acme'. Snapshot '${query}' resolves to '${resolved}'. len(snapshots) == ${count}. Indexes are 1-based`,
  });

  it('finds a snapshot by its distance to the latest one', async () => {
    const env = await withSnapshots(caller(), 3);
    for (const [expr, index] of [
      ['~0', 3],
      ['~1', 2],
      ['~2', 1],
      ['-1', 3],
      ['-2', 2],
      ['-3', 1],
    ] as const) {
      expect(await get(caller(), env, expr)).toMatchObject({ index });
    }
    expect(await refused(caller(), 404, env, '~3')).toEqual(text(`${env}~3`, `${env}#0`, 3));
    expect(await refused(caller(), 404, env, '-5')).toEqual(text(`${env}#-5`, `${env}#-1`, 3));
  });

  it('finds the snapshot of a time: from its creation until the next one', async () => {
    const env = await withSnapshots(caller(), 3);
    const iso = (seconds: number) => new Date(Math.round(seconds * 1000)).toISOString();
    for (const index of [1, 2, 3]) {
      const { timestamp } = await get(caller(), env, String(index));
      for (const form of [iso(timestamp), iso(timestamp).replace('Z', ''), iso(timestamp).replace('Z', '+00:00')]) {
        expect(await get(caller(), env, `@{${form}}`)).toMatchObject({ index });
      }
      const before = `@{${iso(timestamp - 0.001)}}`;
      if (index > 1) expect(await get(caller(), env, before)).toMatchObject({ index: index - 1 });
      else expect(await refused(caller(), 404, env, before)).toEqual(text(`${env}${before}`, `${env}#0`, 3));
    }
    for (const expr of ['@{0.minutes.ago}', `@{${iso(Date.now() / 1000 + 1)}}`, '@{2999-01-01T00:00:00}', '@{now}']) {
      expect(await get(caller(), env, expr)).toMatchObject({ index: 3 });
    }
    const long = '@{2023-10-02T12:00:00}';
    expect(await refused(caller(), 404, env, long)).toEqual(text(`${env}${long}`, `${env}#0`, 3));
    expect(await refused(caller(), 404, env, '@{5.hours.ago}')).toEqual(text(`${env}@{5.hours.ago}`, `${env}#0`, 3));
  });

  it('ignores changes of the environment without a snapshot', async () => {
    const env = await withSnapshots(caller(), 1);
    const json = { name: env, type: 'docker', description: 'other' };
    await caller().expect(200, 'PUT', '/environments/acme', { json });
    expect(await get(caller(), env, '@{2999-01-01T00:00:00}')).toMatchObject({ index: 1 });
    const empty = await environment(caller());
    const expr = '@{2999-01-01T00:00:00}';
    expect(await refused(caller(), 404, empty, expr)).toEqual(text(`${empty}${expr}`, `${empty}#0`, 0));
    expect(await refused(caller(), 404, empty, '~1')).toEqual(text(`${empty}~1`, `${empty}#-1`, 0));
  });

  it.each([
    '@{NOW}',
    '@{5.years.ago}',
    '@{hours.ago}',
    '@{2023-02-30T12:00:00}',
    '@{2023-10-02}',
    '@now',
    '@{}',
    'x',
    '1.0',
    '+1',
    '##1',
    '-0',
    '1e3',
    ' ',
    '~',
    '~-1',
  ])('cannot read %j', async (expr) => {
    const env = await environment(caller());
    const { message, errors } = await refused(caller(), 400, env, expr);
    expect(message).toMatch(/^Input payload validation failed: /);
    expect(errors).toEqual({ expr: expect.stringContaining(`[input: ${expr}]`) });
  });

  it('lists the snapshots of an interval, in pages and both orders', async () => {
    const env = await withSnapshots(caller(), 5);
    const list = (query: string) => listed(caller(), env, query);
    expect(await list('interval=3..NOW')).toEqual([5, 4, 3]);
    expect(await list('interval=~3..NOW')).toEqual([5, 4, 3, 2]);
    expect(await list('interval=1..2')).toEqual([2, 1]);
    expect(await list('interval=4')).toEqual([4]);
    expect(await list('interval=NOW')).toEqual([5]);
    expect(await list('interval=2..4&reverse=true')).toEqual([2, 3, 4]);
    expect(await list('interval=2..4&per_page=2')).toEqual([4, 3]);
    expect(await list('interval=2..4&per_page=2&page=2')).toEqual([2]);
    expect(await list('interval=2..4&per_page=2&page=2&reverse=true')).toEqual([4]);
    expect(await list('interval=2..4&per_page=2&page=3')).toEqual([]);
    expect(await list('interval=2.weeks.ago..NOW')).toEqual([5, 4, 3, 2, 1]);
    expect(await list('interval=2.weeks.ago..1.weeks.ago')).toEqual([]);
    expect(await list('interval=7..NOW')).toEqual([]);
    expect(await list('interval=~99..99')).toEqual([5, 4, 3, 2, 1]);
    expect(await listed(caller(), await environment(caller()), 'interval=1..NOW')).toEqual([]);
  });

  it.each(['3..1', '~1..~2', '..', '1..', 'x', '1...2', '1..2..3', ' '])(
    'cannot read the interval %j',
    async (text) => {
      const env = await environment(caller());
      const { errors } = await caller().refused(400, 'GET', `/snapshots/acme/${env}?interval=${escaped(text)}`);
      expect(errors).toEqual({ interval: expect.stringContaining(`[input: ${text}]`) });
    },
  );
});

it('counts back in minutes, hours, days, weeks and months', async () => {
  const HOUR = 3_600_000;
  const begun = Date.UTC(2024, 2, 31, 12);
  const clock = new TestClock(begun);
  const service = await startAtTime(clock);
  const world = await worldOf(service);
  const caller = world.as('member');
  const env = await environment(caller);
  // Snapshot 1 at the end of March, 2 an hour later, 3 two days later, asked about at the end of April.
  for (const [i, at] of [begun, begun + HOUR, begun + 48 * HOUR].entries()) {
    await clock.set(at);
    await report(caller, env, [item({ web: digest(`${env} ${i}`) })]);
  }
  await clock.set(Date.UTC(2024, 3, 30, 12));
  for (const [ago, index] of [
    ['1.minute.ago', 3],
    ['28.days.ago', 3],
    ['4.weeks.ago', 3],
    ['29.days.ago', 2],
    ['719.hours.ago', 2],
    ['43140.minutes.ago', 2],
    ['43141.minutes.ago', 1],
    ['30.days.ago', 1],
  ] as const) {
    expect([ago, (await get(caller, env, `@{${ago}}`)).index]).toEqual([ago, index]);
  }
  for (const ago of ['31.days.ago', '5.weeks.ago', '1.month.ago']) await refused(caller, 404, env, `@{${ago}}`);
  await clock.set(Date.UTC(2024, 3, 30, 13));
  expect(await listed(caller, env, 'interval=30.days.ago..NOW')).toEqual([3, 2]);
  expect(await listed(caller, env, 'interval=2.months.ago..30.days.ago')).toEqual([2, 1]);
  await service.stop();
  expect(service.faults).toEqual([]);
}, 60_000);
