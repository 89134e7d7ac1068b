import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import { show } from '../common/command.ts';
import { madeOnce } from '../common/made-once.ts';
import { digestOf, root } from '../common/root.ts';
import { certificates } from './certificates.ts';
import type { Command, Engine, EngineOptions } from './engines.ts';

const HEAP = ['-Xmx384m', '-Xms384m'];
const JAVA = [...HEAP, '-server', '-XX:+UseG1GC'];
/** Limits the JIT compiler, because a server that runs for minutes never regains the cost of full optimization. It halves the CPU of a start and of tests. */
const BRIEF = [...HEAP, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** Runs Kafka with one node (KRaft) on the loopback address. */
export const kafka: Engine = {
  install: kafkaJars,
  commands: (folder, [port, controller], options) => [
    commandOf(folder, settings(join(folder, 'data'), port, controller), options),
  ],
  ports: 2,
  url: ([port]) => `127.0.0.1:${port}`,
  settings: () => ({}),
  ready: ([port]) => answers({ brokers: [`127.0.0.1:${port}`] }),
};

const NODES = 3;

/** Three brokers of one cluster, for what needs more than one copy of a partition. */
export const kafkaCluster: Engine = {
  install: kafkaJars,
  commands(folder, ports, options) {
    const controllers = ports.slice(NODES);
    const voters = controllers.map((port, i) => `${i + 1}@127.0.0.1:${port}`).join(',');
    const cluster = clusterId();
    return controllers.map((controller, i) => {
      const node = join(folder, `node-${i + 1}`);
      mkdirSync(node, { recursive: true });
      const lines = settings(join(node, 'data'), ports[i], controller).filter(
        (line) => !/^(node\.id|controller\.quorum)/.test(line),
      );
      const own = [`node.id=${i + 1}`, `controller.quorum.voters=${voters}`];
      return commandOf(node, [...lines, ...own], { ...options, cluster });
    });
  },
  ports: 2 * NODES,
  url: (ports) =>
    ports
      .slice(0, NODES)
      .map((port) => `127.0.0.1:${port}`)
      .join(','),
  settings: () => ({}),
  ready: async (ports) => (await brokersOf({ brokers: [`127.0.0.1:${ports[0]}`] })) === NODES,
};

/** A user of the secured Kafka for every mechanism with passwords. */
const USER = { username: 'service', password: 'a password of the tests' };
/** Another user with the same password, who has only the rights that the access rules give. The first user may do everything. */
const GUEST = 'guest';

/**
 * The same, with TLS only: users and tokens on one port, client certificates on another. It accepts unsigned tokens (OAUTHBEARER).
 */
export const securedKafka: Engine = {
  install: kafkaJars,
  async commands(folder, ports, options) {
    await certificates(folder);
    const data = join(folder, 'data');
    const lines = securedSettings(folder, data, ports);
    const user = `[name=${USER.username},password=${USER.password}]`;
    return [commandOf(folder, lines, options, ['-S', `SCRAM-SHA-256=${user}`, '-S', `SCRAM-SHA-512=${user}`])];
  },
  ports: 3,
  url: ([port]) => `127.0.0.1:${port}`,
  /** Settings of the service beside the brokers. Only tests read those without the prefix ASSURANCE_: the port for certificates, another user. */
  settings: ([, , certificatePort], folder) => ({
    ASSURANCE_KAFKA_TLS: 'on',
    ASSURANCE_KAFKA_CA_FILE: join(folder, 'tls/ca.pem'),
    ASSURANCE_KAFKA_SASL: 'plain',
    ASSURANCE_KAFKA_USERNAME: USER.username,
    ASSURANCE_KAFKA_PASSWORD: USER.password,
    KAFKA_CERTIFICATE_BROKERS: `127.0.0.1:${certificatePort}`,
    KAFKA_CLIENT_FILE: join(folder, 'tls/client.pem'),
    KAFKA_GUEST: GUEST,
  }),
  async ready([port], folder) {
    const { ca } = await certificates(folder);
    const sasl = { mechanism: 'plain', ...USER } as const;
    return answers({ brokers: [`127.0.0.1:${port}`], ssl: { ca: [readFileSync(ca, 'utf8')] }, sasl });
  },
};

function clusterId(): string {
  return randomBytes(16).toString('base64url').replace(/^-/, 'a');
}

/**
 * Formats the data folder unless it is formatted.
 *
 * @param brief true for a broker that runs for minutes and is not measured
 */
function commandOf(
  folder: string,
  lines: readonly string[],
  { brief = false, cluster = clusterId() }: EngineOptions & { readonly cluster?: string } = {},
  formatting: readonly string[] = [],
): Command {
  const classes = ['-cp', `${kafkaJars()}/*`];
  const properties = join(folder, 'server.properties');
  writeFileSync(properties, `${lines.join('\n')}\n`);
  if (!existsSync(join(folder, 'data/meta.properties'))) {
    const format = ['kafka.tools.StorageTool', 'format', '-t', cluster, '-c', properties, ...formatting];
    show('java', ['-XX:TieredStopAtLevel=1', ...classes, ...format]);
  }
  return ['java', ...(brief ? BRIEF : JAVA), ...classes, 'kafka.Kafka', properties];
}

async function answers(how: KafkaConfig): Promise<boolean> {
  return (await brokersOf(how)) > 0;
}

async function brokersOf(how: KafkaConfig): Promise<number> {
  const admin = new Kafka({ ...how, logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length;
  } finally {
    await admin.disconnect();
  }
}

function settings(data: string, port = 0, controller = 0): readonly string[] {
  return [
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
}

function securedSettings(
  folder: string,
  data: string,
  [port, controller, certificatePort]: readonly number[],
): readonly string[] {
  const jaas = (module: string, ...options: readonly string[][]) =>
    `org.apache.kafka.common.security.${module} required ${options.map(([name, value]) => `${name}="${value}"`).join(' ')};`;
  const user = ['username', USER.username];
  const password = ['password', USER.password];
  const mechanism = (name: string, value: string) => `listener.name.users.${name}.sasl.jaas.config=${value}`;
  const users = [USER.username, GUEST].map((name) => [`user_${name}`, USER.password]);
  const plain = jaas('plain.PlainLoginModule', user, password, ...users);
  const tls = (name: string) => join(folder, 'tls', `${name}.pem`);
  return [
    ...settings(data, port, controller).filter((line) => !/^(advertised\.)?listener/.test(line)),
    `listeners=USERS://127.0.0.1:${port},CERTIFICATES://127.0.0.1:${certificatePort},CONTROLLER://127.0.0.1:${controller}`,
    `advertised.listeners=USERS://127.0.0.1:${port},CERTIFICATES://127.0.0.1:${certificatePort}`,
    'listener.security.protocol.map=USERS:SASL_SSL,CERTIFICATES:SSL,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name=CERTIFICATES',
    'listener.name.certificates.ssl.client.auth=required',
    'ssl.keystore.type=PEM',
    `ssl.keystore.location=${tls('server')}`,
    'ssl.truststore.type=PEM',
    `ssl.truststore.location=${tls('ca')}`,
    'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    `super.users=User:${USER.username};User:ANONYMOUS`,
    'allow.everyone.if.no.acl.found=true',
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    mechanism('plain', plain),
    mechanism('scram-sha-256', jaas('scram.ScramLoginModule')),
    mechanism('scram-sha-512', jaas('scram.ScramLoginModule')),
    mechanism('oauthbearer', jaas('oauthbearer.OAuthBearerLoginModule', ['unsecuredLoginStringClaim_sub', 'service'])),
  ];
}

/** Downloads Kafka's jars with Maven, which checks their checksums, and returns their folder for Java's class path. */
function kafkaJars(): string {
  const pom = 'tools/engines/kafka.pom.xml';
  return madeOnce(`engines/kafka-${digestOf(pom)}`, (folder) => {
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`];
    show('mvn', ['-B', '-q', '-f', join(root, pom), ...goal]);
  });
}
