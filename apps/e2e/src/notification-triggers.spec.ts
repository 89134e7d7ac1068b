import type { DetailedDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import { TRIGGERS } from '@assurance/contracts/notifications/events';
import { eventually } from './support/eventually';
import { Receiver } from './support/receiver';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  item,
  policy,
  post,
  PROVENANCE,
  report,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const ALL = '/organizations/acme/environments_notifications';
/** The name of each trigger in messages. [missed-reports] covers late reports, and [vulnerable-environments] covers vulnerabilities. */
const TELLS = {
  ON_STARTED_ARTIFACT: 'ARTIFACT_STARTED',
  ON_EXITED_ARTIFACT: 'ARTIFACT_EXITED',
  ON_SCALED_ARTIFACT: 'ARTIFACT_SCALED',
  ON_ALLOWED_ARTIFACT: 'ARTIFACT_ALLOWED',
  ON_NON_COMPLIANT_ENV: 'NON_COMPLIANT_ENV',
  ON_COMPLIANT_ENV: 'COMPLIANT_ENV',
} as const;
const TOLD = TRIGGERS.filter((trigger) => trigger !== 'ON_STALE_ENV' && trigger !== 'ON_VULNERABLE_ENV');

interface Payload {
  readonly event_type: string;
  readonly snapshot: { readonly index: string };
  readonly artifact: { readonly kind?: string };
}

let receiver: Receiver;
beforeAll(async () => (receiver = await Receiver.start()));
afterAll(() => receiver.stop());

onEveryDeployment((world) => {
  const member = () => world().as('member');
  const bodiesAt = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(body) as Payload);

  async function notify(env: string, path: string, triggers: readonly string[], type = 'WEBHOOK'): Promise<number> {
    const name = fresh('alert');
    const targets = [{ type, webhook: receiver.url(path) }];
    await member().expect(201, 'PUT', ALL, { json: { name, environments: [env], triggers, targets } });
    return (
      (await member().get<NotificationAnswer[]>(ALL)).find((notification) => notification.name === name)?.number ?? 0
    );
  }

  it('sends exactly the events of each trigger', async () => {
    const env = await environment(member(), { include_scaling: true });
    const paths = new Map(TOLD.map((trigger) => [trigger, `/${fresh('hook')}`]));
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
    await member().expect(201, 'PUT', `/allowlists/acme/${env}`, { json: entry });
    // Another reason is no new entry and sends nothing.
    await member().expect(200, 'PUT', `/allowlists/acme/${env}`, { json: { ...entry, description: 'until March' } });
    await runs(0);

    await eventually(
      () => Promise.resolve(bodiesAt(all)),
      (some) => some.length >= TOLD.length,
    );
    expect(
      bodiesAt(all)
        .map(({ event_type }) => event_type)
        .sort(),
    ).toEqual(Object.values(TELLS).sort());
    for (const [trigger, path] of paths) {
      const [message, ...more] = await eventually(
        () => Promise.resolve(bodiesAt(path)),
        (some) => some.length > 0,
      );
      expect([trigger, more, message?.event_type]).toEqual([trigger, [], TELLS[trigger]]);
      const expected = trigger.endsWith('_ENV') ? null : expect.objectContaining({ name: 'web:1', fingerprint: web });
      expect(message?.artifact).toEqual(expected);
    }
  });

  it('tells webhooks the kind of each start, as the list of deployments has it', async () => {
    const [env, path, flowName] = [await environment(member()), `/${fresh('hook')}`, await flow(member())];
    await notify(env, path, ['ON_STARTED_ARTIFACT']);
    const print = (name: string) => digest(`${env} ${name}`);
    for (const name of ['web:1', 'web:2', 'web:3']) await post(member(), flowName, artifact(print(name)));
    const runs = (...names: string[]) =>
      report(
        member(),
        env,
        names.map((name) => item({ [name]: print(name) }, 0)),
      );
    const names = ['vendor:1', 'web:1', 'web:2', 'web:1', 'web:2', '', 'web:2'];
    for (const name of names) await runs(...(name === '' ? [] : [name]));
    // More starts under the template than are looked through for each report.
    for (let i = 0; i < 51; i += 1) {
      await runs();
      await runs('web:2');
    }
    await runs('web:1');
    await runs('web:3');
    await runs('vendor:1');
    const messages = await eventually(
      () => Promise.resolve(bodiesAt(path)),
      (some) => some.length >= 60,
    );
    const kinds = new Map(messages.map(({ snapshot, artifact: its }) => [Number(snapshot.index), its.kind]));
    const inOrder = [...kinds].sort(([a], [b]) => a - b).map(([, kind]) => kind);
    const restarts = Array<string>(52).fill('restart');
    const existing = ['baseline', 'first', 'first', 'rollback', 'redeployment', ...restarts, 'rollback', 'first'];
    expect(inOrder).toEqual([...existing, undefined]);
    const listed = new Map<number | null, string>();
    for (const page of [1, 2]) {
      const query = `/deployments/acme/detailed?env_name=${env}&per_page=50&page=${page}`;
      const { deployments } = await member().get<DetailedDeploymentPage>(query);
      for (const { snapshot_index, kind } of deployments) listed.set(snapshot_index, kind);
    }
    for (const [index, kind] of kinds)
      if (kind !== undefined) expect([index, kind]).toEqual([index, listed.get(index)]);
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
    const targetHealth = await eventually(target, (health) => health?.last_success_at !== undefined);
    for (const time of [targetHealth?.last_failure_at, targetHealth?.last_success_at]) {
      expect(Math.abs((time ?? 0) - before)).toBeLessThan(60);
    }
    expect(targetHealth?.last_success_at).toBeGreaterThan(targetHealth?.last_failure_at ?? Infinity);
  });
});
