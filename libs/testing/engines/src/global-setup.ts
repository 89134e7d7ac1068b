import { KAFKA_BROKERS } from './kafka';
import { MONGODB_URL } from './mongodb';
import { running } from './running';
import { startKafka } from './start-kafka';
import { startMongo } from './start-mongo';

/** Before the first spec of Jest's project `engines`: one server of each kind for the whole run, named to the specs by the environment. */
async function globalSetup(): Promise<void> {
  const starting = [
    { variable: MONGODB_URL, server: startMongo() },
    { variable: KAFKA_BROKERS, server: startKafka() },
  ];
  await Promise.allSettled(starting.map(({ server }) => server));
  for (const { variable, server } of starting) {
    const started = await server;
    running.push(started);
    process.env[variable] = started.url;
  }
}

export = globalSetup;
