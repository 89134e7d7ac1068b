import { TRIGGERS } from '@assurance/contracts-events';
import type { NotificationAnswer } from '@assurance/contracts-http';
import { eventually } from './support/eventually';
import { Receiver } from './support/receiver';
import { attach, digest, environment, fresh, item, policy, PROVENANCE, report } from './support/samples';
import { onEveryDeployment } from './support/world';

const ALL = '/organizations/acme/environments_notifications';
/** The name of each trigger in messages. */
const TELLS = {
  ON_STARTED_ARTIFACT: 'ARTIFACT_STARTED',
  ON_EXITED_ARTIFACT: 'ARTIFACT_EXITED',
  ON_SCALED_ARTIFACT: 'ARTIFACT_SCALED',
  ON_ALLOWED_ARTIFACT: 'ARTIFACT_ALLOWED',
  ON_NON_COMPLIANT_ENV: 'NON_COMPLIANT_ENV',
  ON_COMPLIANT_ENV: 'COMPLIANT_ENV',
} as const;

let receiver: Receiver;
beforeAll(async () => (receiver = await Receiver.start()));
afterAll(() => receiver.stop());

onEveryDeployment((world) => {
  const member = () => world().as('member');
  const said = (path: string) =>
    receiver.at(path).map(({ body }) => JSON.parse(body) as { event_type: string; artifact: unknown });

  async function notify(env: string, path: string, triggers: readonly string[], type = 'WEBHOOK'): Promise<number> {
    const name = fresh('alert');
    const targets = [{ type, webhook: receiver.url(path) }];
    await member().expect(201, 'PUT', ALL, { json: { name, environments: [env], triggers, targets } });
    return (await member().get<NotificationAnswer[]>(ALL)).find((one) => one.name === name)?.number ?? 0;
  }

  it('sends exactly the events of each trigger', async () => {
    const env = await environment(member(), { include_scaling: true });
    const paths = new Map(TRIGGERS.map((trigger) => [trigger, `/${fresh('hook')}`]));
    for (const [trigger, path] of paths) await notify(env, path, [trigger]);
    const all = `/${fresh('hook')}`;
    await notify(env, all, TRIGGERS);

    const web = digest(env);
    const runs = (count: number) =>
      report(
        member(),
        env,
        Array.from({ length: count }, () => item({ 'web:1': web })),
      );
    await runs(1);
    await runs(2);
    await attach(member(), env, await policy(member(), PROVENANCE));
    const entry = { artifact_fingerprint: web, artifact_name: 'web:1', description: 'its vendor' };
    await member().expect(200, 'PUT', `/allowlists/acme/${env}`, { json: entry });
    await runs(0);

    await eventually(
      () => Promise.resolve(said(all)),
      (some) => some.length >= TRIGGERS.length,
    );
    expect(
      said(all)
        .map(({ event_type }) => event_type)
        .sort(),
    ).toEqual(Object.values(TELLS).sort());
    for (const [trigger, path] of paths) {
      const [one, ...more] = await eventually(
        () => Promise.resolve(said(path)),
        (some) => some.length > 0,
      );
      expect([trigger, more, one?.event_type]).toEqual([trigger, [], TELLS[trigger]]);
      const artifact = trigger.endsWith('_ENV') ? null : expect.objectContaining({ name: 'web:1', fingerprint: web });
      expect(one?.artifact).toEqual(artifact);
    }
  });

  it('shows on a Slack target when it last had success, and when it failed', async () => {
    const [env, path] = [await environment(member()), `/${fresh('slack')}`];
    const number = await notify(env, path, ['ON_STARTED_ARTIFACT'], 'SLACK');
    const target = async () => (await member().get<NotificationAnswer>(`${ALL}/${number}`)).targets[0];
    expect(await target()).not.toHaveProperty('last_success_at');
    expect(await target()).not.toHaveProperty('last_failure_at');
    const before = Date.now() / 1000;
    receiver.on(path, (response) => {
      if (receiver.at(path).length === 1) response.writeHead(500).end();
      else response.writeHead(200).end();
    });
    await report(member(), env, [item({ 'web:1': digest(env) })]);
    const shown = await eventually(target, (one) => one?.last_success_at !== undefined);
    for (const time of [shown?.last_failure_at, shown?.last_success_at]) {
      expect(Math.abs((time ?? 0) - before)).toBeLessThan(60);
    }
    expect(shown?.last_success_at).toBeGreaterThan(shown?.last_failure_at ?? Infinity);
  });
});
