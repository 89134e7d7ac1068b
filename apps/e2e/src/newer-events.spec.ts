import { randomUUID } from 'node:crypto';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import { SYSTEM } from '@assurance/contracts/events/streams';
import { seal } from '@assurance/event-sourcing/sealing/seal';
import { eventually } from './support/eventually';
import { Installation, type RunningRoles } from './support/installation';
import { digest, environment, flow, item, report } from './support/samples';
import { servers } from './support/servers';
import { worldOf } from './support/world';

const START_MS = 90_000;
const SETTINGS = process.env['ASSURANCE_TEST_DEPLOYMENT'] === 'scaled' ? servers() : {};

/** All roles in one process, with its engines at hand: on MongoDB and Kafka where Jest's project `scaled` runs. */
describe('a stream that a newer version of the service has written to', () => {
  const installation = new Installation({ ...SETTINGS, ASSURANCE_LOG_LEVEL: 'error' });
  let served: RunningRoles;
  beforeAll(async () => {
    served = await installation.start();
  }, START_MS);
  afterAll(() => installation.clear(), START_MS);

  const caller = async () => (await worldOf(served)).as('member');

  /** Appends an event of a version that this instance does not know, as a newer instance does during an update. */
  async function appendUnknown(stream: string, org: string, type: string, version: number): Promise<void> {
    const { events } = served.engines;
    const draft = { id: randomUUID(), org, stream, at: Date.now(), actor: SYSTEM, correlation: 'newer' };
    const commit = await seal(events, draft, await events.newest(stream), [{ type, version, data: {} }]);
    expect(await events.append(commit)).toBe('appended');
  }

  async function streamOf(kind: 'environment' | 'flow'): Promise<{ readonly stream: string; readonly org: string }> {
    for (let after: string | null = null; ;) {
      const page = await served.engines.events.scan(after, 1_000);
      const result = page.commits.filter(({ stream }) => stream.startsWith(`${kind}/`)).at(-1);
      if (result !== undefined) return result;
      if (page.next === null) throw new Error(`there is no ${kind}`);
      after = page.next;
    }
  }

  it('gets 503 with a clear text and is not changed, while other streams work', async () => {
    const member = await caller();
    const env = await environment(member);
    const { stream, org } = await streamOf('environment');
    const other = await environment(member);
    await report(member, env, [item({ web: digest('a') })]);
    const path = `/environments/acme/${env}`;
    const before = await member.get<EnvironmentAnswer>(path);

    await appendUnknown(stream, org, 'SnapshotRecorded', 99);
    const requests = [
      ['GET', path, undefined],
      ['PATCH', path, { json: { description: 'changed' } }],
      ['PUT', `${path}/report/docker`, { json: { artifacts: [item({ web: digest('b') })] } }],
      ['PUT', '/environments/acme', { json: { name: env, type: 'docker' } }],
      ['GET', `/snapshots/acme/${env}/-1`, undefined],
    ] as const;
    for (const [method, at, sent] of requests) {
      const answer = await member.send(method, at, sent);
      expect([method, at, answer.status, answer.text]).toEqual([
        method,
        at,
        503,
        expect.stringMatching(/A newer version of the service has written here, and this one cannot read it\. Update/),
      ]);
      expect(answer.headers.get('retry-after')).toBe('30');
    }
    const ready = await fetch(`${served.operations.url}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain(`a request met an event of a newer version: ${stream}#`);
    expect((await served.engines.events.newest(stream))?.events).toMatchObject([{ version: 99 }]);

    const { data } = await served.engines.events.newest(stream).then((commit) => commit!.events[0]!);
    expect(data).toBe('{}');
    expect(before.name).toBe(env);
    await member.expect(200, 'PATCH', `/environments/acme/${other}`, { json: { description: 'changed' } });
    await report(member, other, [item({ web: digest('b') })]);
  });

  it('raises an alarm: readiness, a metric and a log line', async () => {
    const member = await caller();
    await flow(member);
    const { stream, org } = await streamOf('flow');
    await appendUnknown(stream, org, 'FlowPainted', 1);
    const ready = await eventually(
      async () => {
        const answer = await fetch(`${served.url}/ready`);
        return { status: answer.status, text: await answer.text() };
      },
      ({ text }) => text.split('is paused').length > 3,
    );
    expect(ready.status).toBe(503);
    expect(ready.text).toMatch(
      /the consumer projection is paused: \S+ holds \w+ v\d+, which this version of the service/,
    );
    const figures = await (await fetch(`${served.operations.url}/metrics`)).text();
    expect(figures.match(/^assurance_feed_paused\{group="[\w-]+"\} 1$/gm)).toHaveLength(3);
    const lines = installation.log.filter((line) => line.includes('a consumer paused'));
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/holds \w+ v\d+/);
  });
});
