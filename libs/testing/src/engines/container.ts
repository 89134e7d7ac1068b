import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { GenericContainer, Wait } from 'testcontainers';
import type { RunningServer } from './running';

const COMPOSE = resolve(__dirname, '../../../../docker-compose.yml');
/** The error of testcontainers without a container engine. */
const NO_ENGINE = 'Could not find a working container runtime strategy';
const START_MS = 120_000;
/** Kafka announces its port to clients before a port is assigned, so it gets a free one in advance. */
const [KAFKA_PORT, CONTROLLER_PORT, OWN_PORT] = [9092, 9093, 9094];

/**
 * A server in a container of the image that docker-compose.yml names.
 *
 * @returns null where no container engine answers
 */
export async function container(engine: 'mongodb' | 'kafka'): Promise<RunningServer | null> {
  try {
    return engine === 'mongodb' ? await mongodb() : await kafka(await freePort());
  } catch (fault) {
    if (fault instanceof Error && fault.message.includes(NO_ENGINE)) return null;
    throw fault;
  }
}

/** A replica set of one. Clients ask it directly: the name that it has in its own set is good inside alone. */
async function mongodb(): Promise<RunningServer> {
  const started = await new GenericContainer(imageOf('mongodb'))
    .withCommand(['--replSet', 'rs0', '--bind_ip_all'])
    .withExposedPorts(27_017)
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(START_MS)
    .start();
  const script =
    `rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'localhost:27017' }] }); ` +
    'while (!db.hello().isWritablePrimary) sleep(100)';
  const { exitCode, output } = await started.exec(['mongosh', '--quiet', '--eval', script]);
  if (exitCode !== 0) throw new Error(`the replica set in the container was not made: ${output}`);
  return {
    url: `mongodb://${started.getHost()}:${started.getMappedPort(27_017)}/?directConnection=true`,
    settings: {},
    stop: async () => void (await started.stop()),
  };
}

async function kafka(port: number): Promise<RunningServer> {
  const started = await new GenericContainer(imageOf('kafka'))
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: `1@localhost:${CONTROLLER_PORT}`,
      KAFKA_LISTENERS: `OUTSIDE://:${KAFKA_PORT},CONTROLLER://:${CONTROLLER_PORT},OWN://:${OWN_PORT}`,
      KAFKA_ADVERTISED_LISTENERS: `OUTSIDE://127.0.0.1:${port},OWN://localhost:${OWN_PORT}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'OUTSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT,OWN:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'OWN',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR: '1',
    })
    .withExposedPorts({ container: KAFKA_PORT, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(START_MS)
    .start();
  return { url: `127.0.0.1:${port}`, settings: {}, stop: async () => void (await started.stop()) };
}

function imageOf(service: string): string {
  const [, image] = new RegExp(`^  ${service}:\\n    image: (\\S+)$`, 'm').exec(readFileSync(COMPOSE, 'utf8')) ?? [];
  if (image === undefined) throw new Error(`docker-compose.yml names no image of ${service}`);
  return image;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}
