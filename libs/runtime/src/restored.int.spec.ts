import { randomBytes, randomUUID } from 'node:crypto';
import { streams } from '@assurance/contracts/events/streams';
import { appendAll, makeEvent, makeStream, unique } from '@assurance/testing/conformance/harness';
import { freshKafka } from '@assurance/testing/engines/kafka';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import type { Commit } from '@assurance/storage-ports';
import { openScaled } from './scaled';

const LIMIT_MS = 120_000;
const STREAMS = 30;

type Engines = Awaited<ReturnType<typeof openScaled>>;

describe('a topic of commits that MongoDB does not have', () => {
  const { brokers: kafkaBrokers } = freshKafka();
  const opened: Engines[] = [];
  const sources = { now: Date.now, steady: () => performance.now(), random: randomBytes, onFault: () => undefined };
  const open = async ({ url: mongodbUrl, database }: { url: string; database: string }, kafkaPrefix: string) => {
    const engines = await openScaled(
      { mongodbUrl, database, kafkaBrokers, kafkaPrefix, kafkaSecurity: { tls: null, sasl: null } },
      sources,
    );
    opened.push(engines);
    return engines;
  };
  afterAll(() => Promise.all(opened.map((engine) => engine.close())));

  /** Publishes all commits of the store. */
  async function publishAll(engines: Engines, commits: number): Promise<void> {
    const relay = await engines.relay(randomUUID());
    await new Promise<void>((done) => {
      const timer = setInterval(() => {
        if (relay.status().published < commits) return;
        clearInterval(timer);
        done();
      }, 20);
    });
    await relay.stop();
  }
  const many = (org = 'org') => Array.from({ length: STREAMS }, () => makeStream([{}, {}], { org }));
  const append = async ({ events }: Engines, all: readonly (readonly Commit[])[]) => {
    for (const commits of all) await appendAll(events, commits);
  };

  it(
    'stops the start of a MongoDB that is older, until another prefix is set',
    async () => {
      const [present, backup, prefix] = [freshMongodb(), freshMongodb(), `test-${randomUUID()}`];
      const early = many();
      const late = makeStream([{}]);
      const engines = await open(present, prefix);
      await append(engines, [...early, late]);
      await publishAll(engines, 2 * STREAMS + 1);
      await open(present, prefix);

      // The backup lacks one commit.
      const restored = await open(backup, `other-${randomUUID()}`);
      await append(restored, early);
      await expect(open(backup, prefix)).rejects.toThrow(
        `Topic ${prefix}assurance.events.v1 has a commit that MongoDB does not have: 1 of ${late[0]!.stream}, of `,
      );
      await expect(open(backup, prefix)).rejects.toThrow('set an ASSURANCE_KAFKA_PREFIX that was never used');
      const [own, again] = [`test-${randomUUID()}`, await open(backup, `test-${randomUUID()}`)];
      await again.close();
      await publishAll(await open(backup, own), 2 * STREAMS);
      await open(backup, own);
    },
    LIMIT_MS,
  );

  it(
    'stops it too where another commit has taken the place of a lost one',
    async () => {
      const [present, other, prefix] = [freshMongodb(), freshMongodb(), `test-${randomUUID()}`];
      const [commit] = makeStream([{}]);
      const engines = await open(present, prefix);
      await append(engines, [[commit!]]);
      await publishAll(engines, 1);
      const restored = await open(other, `other-${randomUUID()}`);
      await append(restored, [makeStream([{}], { stream: commit!.stream })]);
      await expect(open(other, prefix)).rejects.toThrow(`MongoDB does not have: 1 of ${commit!.stream}`);
    },
    LIMIT_MS,
  );

  it(
    'does not stop it where the organization of the commits was erased',
    async () => {
      const [present, prefix, org] = [freshMongodb(), `test-${randomUUID()}`, unique('org')];
      const all = many(org);
      const engines = await open(present, prefix);
      await append(engines, all);
      await publishAll(engines, 2 * STREAMS);
      for (const [first] of all) await engines.events.removeStream(first!.stream);
      await expect(open(present, prefix)).rejects.toThrow('has a commit that MongoDB does not have');
      const record = makeStream([{ events: [{ ...makeEvent(), type: 'OrganizationErased' }] }], {
        org,
        stream: streams.organization(org),
      });
      await append(engines, [record]);
      await open(present, prefix);
    },
    LIMIT_MS,
  );
});
