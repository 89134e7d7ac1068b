import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { fetched, here, run } from './fetch.mjs';

/** How many jars Kafka and its logging binding are: fewer mean that a fetch was cut short. */
const JARS = 40;

const JAVA = ['-Xmx384m', '-Xms384m', '-server', '-XX:+UseG1GC'];

/** Kafka of one node (KRaft) on the loopback address. */
export const kafka = {
  install: kafkaJars,
  /** Made ready to run in a folder of its own. */
  command(folder, [port, controller]) {
    const classes = ['-cp', `${kafkaJars()}/*`];
    const properties = join(folder, 'server.properties');
    const data = join(folder, 'data');
    writeFileSync(properties, settings(data, port, controller));
    if (!existsSync(join(data, 'meta.properties'))) {
      const cluster = randomBytes(16).toString('base64url').replace(/^-/, 'a');
      const format = ['kafka.tools.StorageTool', 'format', '-t', cluster, '-c', properties];
      run('java', [...classes, ...format], 'it runs Kafka');
    }
    return ['java', ...JAVA, ...classes, 'kafka.Kafka', properties];
  },
  ports: 2,
  url: ([port]) => `127.0.0.1:${port}`,
  /** Whether it takes requests. */
  async ready([port]) {
    const brokers = [`127.0.0.1:${port}`];
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin();
    try {
      await admin.connect();
      return (await admin.describeCluster()).brokers.length > 0;
    } finally {
      await admin.disconnect();
    }
  },
};

function settings(data, port, controller) {
  const lines = [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controller}`,
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names=CONTROLLER',
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    `log.dirs=${data}`,
    'auto.create.topics.enable=false',
    'group.initial.rebalance.delay.ms=0',
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=8',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'share.coordinator.state.topic.replication.factor=1',
    'share.coordinator.state.topic.min.isr=1',
  ];
  return `${lines.join('\n')}\n`;
}

/** The folder of Kafka's jars, to be put on Java's class path. Maven checks the checksums of what it downloads. */
function kafkaJars() {
  const pom = join(here, 'kafka.pom.xml');
  const home = fetched('kafka', pom, isThere, (next) => {
    console.error('fetching Kafka 4.3.1 (44 MB) …');
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${join(next, 'libs')}`];
    run('mvn', ['-B', '-q', '-f', pom, ...goal], 'it fetches Kafka');
  });
  return join(home, 'libs');
}

function isThere(home) {
  const libs = join(home, 'libs');
  return existsSync(libs) && readdirSync(libs).filter((name) => name.endsWith('.jar')).length >= JARS;
}
