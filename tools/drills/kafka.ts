import { readFileSync } from 'node:fs';
import kafkajs, { type Admin } from 'kafkajs';
import { first } from '../common/api.ts';
import type { Stage } from '../common/stage.ts';

const { AssignerProtocol, Kafka, logLevel } = kafkajs;

/** Calls a function with an administrator of the stage's Kafka, which may require TLS and a user. */
export async function administered<T>({ kafka }: Stage, act: (admin: Admin) => Promise<T>): Promise<T> {
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
export async function partitionsOf(stage: Stage, group: string): Promise<readonly number[]> {
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
