import type { Caller } from '../support/caller';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { arrived, ledger, notification, test, webhook } from '../support/notifying';
import { inFile } from '../support/operated';
import type { Operator } from '../support/operator';
import { Receiver } from '../support/receiver';
import { attach, digest, environment, item, policy, PROVENANCE, report } from '../support/samples';
import { worldOf } from '../support/world';

const DAY = 24 * 3_600_000;
const ALL_TRIGGERS = [
  'STARTED_ARTIFACT',
  'EXITED_ARTIFACT',
  'SCALED_ARTIFACT',
  'ALLOWED_ARTIFACT',
  'NON_COMPLIANT_ENV',
  'COMPLIANT_ENV',
];

describe('a dispatcher that starts again', () => {
  let now = Date.now();
  let installation: Installation;
  let receiver: Receiver;
  let operator: Operator;
  let member: Caller;
  const start = async () => {
    const started = await installation.start();
    operator = started.operator;
    member = (await worldOf(started)).as('member');
  };
  beforeAll(async () => {
    const settings = { ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8', ASSURANCE_KEEP_DELIVERIES_DAYS: '30' };
    installation = new Installation(settings, () => now);
    receiver = await Receiver.start();
    await start();
  }, 90_000);
  afterAll(async () => {
    await installation.clear();
    await receiver.stop();
    expect(installation.log).toEqual([]);
  }, 90_000);

  /** Starts again with a feed from the beginning: all events are delivered again. */
  async function hearAllAgain(): Promise<void> {
    await installation.stop();
    inFile(installation.file, (db) => db.exec('UPDATE positions SET position = 0'));
    await start();
  }

  it('sends nothing twice when commits are delivered again, also after its ledger forgot them', async () => {
    const env = await environment(member, { include_scaling: true });
    const triggers = ALL_TRIGGERS.map((trigger) => `ON_${trigger}`);
    const { number } = await notification(member, {
      environments: [env],
      triggers,
      targets: [webhook(receiver.url('/hook'))],
    });
    const last = await notification(member, { targets: [webhook(receiver.url('/last'))] });
    await attach(member, env, await policy(member, PROVENANCE));
    const [one, two] = [digest('one'), digest('two')];
    await report(member, env, [item({ 'one:1': one }), item({ 'two:1': two })]);
    await report(member, env, [item({ 'one:1': one }), item({ 'one:1': one })]);
    const json = { artifact_fingerprint: one, artifact_name: 'one', description: 'its vendor' };
    await member.expect(201, 'PUT', `/allowlists/acme/${env}`, { json });
    const types = (await arrived(receiver, '/hook', 7)).map(
      ({ body }) => (JSON.parse(body) as { event_type: string }).event_type,
    );
    expect(new Set(types)).toEqual(
      new Set(
        ALL_TRIGGERS.map((trigger) =>
          /^(.*)_ARTIFACT$/.exec(trigger) ? `ARTIFACT_${trigger.split('_')[0]}` : trigger,
        ),
      ),
    );
    const sent = await eventually(
      () => ledger(member, number),
      (all) => all.every(({ state }) => state === 'delivered'),
    );
    expect(sent).toHaveLength(types.length);

    let count = 0;
    /** Waits for the last message and checks that no other came before it. */
    const nothingElse = async () => {
      await test(member, last.number);
      count += 1;
      await arrived(receiver, '/last', count);
      expect([receiver.at('/hook').length, receiver.at('/last').length]).toEqual([types.length, count]);
    };
    await nothingElse();
    await hearAllAgain();
    await nothingElse();
    for (const words of [
      ['rebuild-heads'],
      ['rebuild', 'environment-events'],
      ['redeliver', 'acme', String(number)],
    ] as const) {
      const [name, ...args] = words;
      expect((await operator.run(name, ...args)).outcome).toMatchObject({ ok: true });
    }
    await nothingElse();
    expect(await ledger(member, number)).toEqual(sent);

    now += 31 * DAY;
    await hearAllAgain();
    expect(
      await eventually(
        () => ledger(member, number),
        (all) => all.length === 0,
      ),
    ).toEqual([]);
    await nothingElse();
    // Not even if the position of the feed is lost.
    await installation.stop();
    inFile(installation.file, (db) => {
      const tables = db.prepare("SELECT name FROM tables WHERE name LIKE '%notified_streams'").all() as {
        name: string;
      }[];
      expect(tables).toHaveLength(1);
      for (const { name } of tables) db.exec(`DELETE FROM ${name}`);
      db.exec('UPDATE positions SET position = 0');
    });
    await start();
    await nothingElse();
    expect(await ledger(member, number)).toEqual([]);
    expect(await ledger(member, last.number)).not.toEqual([]);
  }, 120_000);
});
