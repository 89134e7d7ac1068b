import { first, until } from '../../common/api.ts';
import type { Drill } from '../drill.ts';
import { administered, partitionsOf } from '../kafka.ts';
import { refusedStart } from '../refused.ts';

const TOPIC = 'assurance.events.v1';
const BEFORE = 12;
const AFTER = 24;
const KEEPING = ['retention.ms', 'retention.bytes'].map((name) => ({ name, value: '-1' }));
/** How long the projections may take to share the partitions (milliseconds). */
const SHARED_MS = 60_000;

/**
 * The topic of commits grows from 12 to 24 partitions as `docs/scaling/services.md` says, while clients report: a topic to which somebody added partitions
 * stops the start, and a new topic, which MongoDB fills, takes its place.
 */
export async function partitionsGrown(drill: Drill): Promise<string> {
  const { stage } = drill;
  const services = [...stage.gateway, ...stage.ingestion, ...stage.projection, ...stage.packages];
  const { ASSURANCE_KAFKA_PREFIX: old = '' } = first(stage.ingestion).settings;
  const prefix = `p${AFTER}-${Math.round(performance.now())}.`;
  await drill.more();
  const stopped = performance.now();
  await Promise.all(services.map((one) => one.stop()));

  const altered = { topicPartitions: [{ topic: `${old}${TOPIC}`, count: AFTER }] };
  await administered(stage, (admin) => admin.createPartitions(altered));
  const refused = await refusedStart(
    drill,
    'a service starts on a topic with other partitions',
    `Topic ${old}${TOPIC} has ${AFTER} partitions, and had ${BEFORE} when it took its first commits.`,
  );

  const grown = { topic: `${prefix}${TOPIC}`, numPartitions: AFTER, replicationFactor: 1, configEntries: KEEPING };
  await administered(stage, (admin) => admin.createTopics({ topics: [grown] }));
  for (const service of services) service.settings = { ...service.settings, ASSURANCE_KAFKA_PREFIX: prefix };
  await Promise.all(services.map((one) => one.start()));
  const away = (performance.now() - stopped - refused) / 1_000;
  await drill.more();

  let shared: readonly number[] = [];
  const isShared = async (): Promise<boolean> => {
    shared = await partitionsOf(stage, `${prefix}projection`);
    return shared.length === stage.projection.length && shared.reduce((sum, count) => sum + count, 0) === AFTER;
  };
  drill.expect(await until(isShared, SHARED_MS), `the partitions of the projections are ${shared.join(', ')}`);
  return `services were away for ${away.toFixed(1)} s; partitions of each projection ${shared.join(', ')}`;
}
