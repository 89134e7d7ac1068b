import { KAFKA_BROKERS } from './kafka';
import { MONGODB_URL } from './mongodb';
import type { RunningServer } from './running';
import { startKafka } from './start-kafka';
import { startMongo } from './start-mongo';

const running: Pick<RunningServer, 'stop'>[] = [];

/** Starts one server of each kind for a whole test run, named to the specs by the environment. */
export async function startEngines(): Promise<void> {
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

export async function stopEngines(): Promise<void> {
  for (const engine of running.splice(0)) await engine.stop();
}
