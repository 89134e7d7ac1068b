import { KAFKA_BROKERS, KAFKA_SETTINGS } from './kafka';
import { MONGODB_URL } from './mongodb';
import type { RunningServer } from './running';
import { startKafka } from './start-kafka';
import { startMongo } from './start-mongo';

const running: Pick<RunningServer, 'stop'>[] = [];

/**
 * Starts one server of each kind for a whole test run, named to the specs by the environment.
 *
 * @param secured servers that require TLS and a user
 */
export async function startEngines({ secured = false } = {}): Promise<void> {
  const starting = { mongodb: startMongo(secured), kafka: startKafka(secured) };
  await Promise.allSettled(Object.values(starting));
  const mongodb = await starting.mongodb;
  running.push(mongodb);
  process.env[MONGODB_URL] = mongodb.url;
  const kafka = await starting.kafka;
  running.push(kafka);
  process.env[KAFKA_BROKERS] = kafka.url;
  process.env[KAFKA_SETTINGS] = JSON.stringify(kafka.settings);
}

export async function stopEngines(): Promise<void> {
  for (const engine of running.splice(0)) await engine.stop();
}
