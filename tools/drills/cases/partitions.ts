import { readFileSync } from 'node:fs';
import kafkajs, { type Admin } from 'kafkajs';
import { first, until } from '../../common/api.ts';
import type { Stage } from '../../common/stage.ts';
import type { Drill } from '../drill.ts';

const { AssignerProtocol, Kafka, logLevel } = kafkajs;

const TOPIC = 'assurance.events.v1';
const AFTER = 24;
const KEEPING = ['retention.ms', 'retention.bytes'].map((name) => ({ name, value: '-1' }));
/** How long the projections may take to share the partitions (milliseconds). */
const SHARED_MS = 60_000;

/**
 * The topic of commits grows from 12 to 24 partitions as `docs/scaling/services.md` says, while clients report: a new topic, which MongoDB fills,
 * takes its place.
 */
export async function partitionsGrown(drill: Drill): Promise<string> {
  const { stage } = drill;
  const services = [...stage.gateway, ...stage.ingestion, ...stage.projection, ...stage.packages];
  const prefix = `p${AFTER}-${Math.round(performance.now())}.`;
  await drill.more();
  const stopped = performance.now();
  await Promise.all(services.map((one) => one.stop()));

  const grown = { topic: `${prefix}${TOPIC}`, numPartitions: AFTER, replicationFactor: 1, configEntries: KEEPING };
  await administered(stage, (admin) => admin.createTopics({ topics: [grown] }));
  for (const service of services) service.settings = { ...service.settings, ASSURANCE_KAFKA_PREFIX: prefix };
  await Promise.all(services.map((one) => one.start()));
  const away = (performance.now() - stopped) / 1_000;
  await drill.more();

  let shared: readonly number[] = [];
  const isShared = async (): Promise<boolean> => {
    shared = await partitionsOf(stage, `${prefix}projection`);
    return shared.length === stage.projection.length && shared.reduce((sum, count) => sum + count, 0) === AFTER;
  };
  drill.expect(await until(isShared, SHARED_MS), `the partitions of the projections are ${shared.join(', ')}`);
  return `services were away for ${away.toFixed(1)} s; partitions of each projection ${shared.join(', ')}`;
}

/** Calls a function with an administrator of the stage's Kafka, which may require TLS and a user. */
async function administered<T>({ kafka }: Stage, act: (admin: Admin) => Promise<T>): Promise<T> {
  const { engine, ports, folder, url } = first(kafka);
  const settings = engine.settings(ports, folder);
  const {
    ASSURANCE_KAFKA_CA_FILE: ca,
    ASSURANCE_KAFKA_USERNAME: username = '',
    ASSURANCE_KAFKA_PASSWORD: password = '',
  } = settings;
  const secured =
    ca === undefined
      ? {}
      : { ssl: { ca: [readFileSync(ca, 'utf8')] }, sasl: { mechanism: 'plain', username, password } as const };
  const admin = new Kafka({ brokers: [url], logLevel: logLevel.NOTHING, ...secured }).admin();
  await admin.connect();
  try {
    return await act(admin);
  } finally {
    await admin.disconnect();
  }
}

/** How many partitions each member of a consumer group has, of the group whose id ends with a name. */
async function partitionsOf(stage: Stage, group: string): Promise<readonly number[]> {
  return administered(stage, async (admin) => {
    const { groups } = await admin.listGroups();
    const { groupId = group } = groups.find(({ groupId: id }) => id.endsWith(group)) ?? {};
    const described = await admin.describeGroups([groupId]);
    return first(described.groups).members.map(({ memberAssignment }) => {
      const topics = AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment ?? {};
      return Object.values(topics).reduce((sum, partitions) => sum + partitions.length, 0);
    });
  });
}
