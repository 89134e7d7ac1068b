import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  Kafka,
  logLevel,
  ResourcePatternTypes,
} from 'kafkajs';
import type { Commit } from '@assurance/storage-ports';
import { makeCommit } from '@assurance/testing/conformance/harness';
import { localServer } from '@assurance/testing/engines/local-server';
import type { RunningServer } from '@assurance/testing/engines/running';
import { openKafka } from './open-kafka';
import type { KafkaSecurity } from './security';
import { haveTopic } from './topic';

const START_MS = 120_000;

describe('a Kafka that requires TLS and a user', () => {
  let server: RunningServer;
  let ca: string;
  let user: { readonly username: string; readonly password: string };
  beforeAll(async () => {
    server = await localServer('kafka-secured');
    const { settings } = server;
    ca = readFileSync(String(settings['ASSURANCE_KAFKA_CA_FILE']), 'utf8');
    user = {
      username: String(settings['ASSURANCE_KAFKA_USERNAME']),
      password: String(settings['ASSURANCE_KAFKA_PASSWORD']),
    };
  }, START_MS);
  afterAll(() => server.stop());

  const tls = () => ({ ca, client: null });
  const clientTls = () => {
    const pem = readFileSync(String(server.settings['KAFKA_CLIENT_FILE']), 'utf8');
    return { ca, client: { certificate: pem, key: pem } };
  };

  /** The problems that prevent the use of Kafka; an empty list if the client can connect and a broker answers. */
  async function open(security: KafkaSecurity, brokers = [server.url], prefix = 'secured.'): Promise<string[]> {
    const answers: string[] = [];
    try {
      const opened = await openKafka({ brokers, prefix, security, onFault: (each) => answers.push(String(each)) });
      await opened.reach();
      await opened.close();
    } catch (error) {
      answers.push((error as Error).message);
    }
    return answers;
  }

  /** Publishes a commit, and waits until a consumer group gets it. */
  async function exchange(security: KafkaSecurity, prefix: string, brokers = [server.url]): Promise<void> {
    const faults: unknown[] = [];
    const kafka = await openKafka({ brokers, prefix, security, onFault: (fault) => faults.push(fault) });
    try {
      const commit = makeCommit();
      await (await kafka.publisher()).publish([commit]);
      let take: (batch: readonly Commit[]) => void = () => undefined;
      const actual = new Promise<readonly Commit[]>((resolve) => (take = resolve));
      const consumer = await kafka.feed.consume('group', (batch) => Promise.resolve(take(batch)), { maxBatch: 10 });
      expect([await actual, faults]).toEqual([[commit], []]);
      await consumer.stop();
    } finally {
      await kafka.close();
    }
  }

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'carries commits of a user with %s',
    async (mechanism) => {
      await exchange({ tls: tls(), sasl: { mechanism, ...user } }, `${mechanism}.`);
    },
    START_MS,
  );

  it(
    'carries commits of who has a certificate',
    async () => {
      const brokers = [String(server.settings['KAFKA_CERTIFICATE_BROKERS'])];
      await exchange({ tls: clientTls(), sasl: null }, 'certificate.', brokers);
      expect(await open({ tls: tls(), sasl: null }, brokers)).toHaveLength(1);
    },
    START_MS,
  );

  it(
    'carries commits of who has tokens, which are asked for with the credentials of a client',
    async () => {
      const requests: string[] = [];
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const tokens = createServer((request, response) => {
        requests.push(`${request.method} ${request.headers.authorization}`);
        const now = Math.floor(Date.now() / 1_000);
        // Kafka's own validator for tests accepts unsigned tokens.
        const token = `${part({ alg: 'none' })}.${part({ sub: 'service', iat: now, exp: now + 600 })}.`;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 600 }));
      }).listen(0, '127.0.0.1');
      try {
        await new Promise((resolve) => tokens.once('listening', resolve));
        const url = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`;
        const endpoint = { url, clientId: 'assurance', clientSecret: 'a secret', scope: null };
        await exchange({ tls: tls(), sasl: { mechanism: 'oauthbearer', endpoint } }, 'tokens.');
        // One token is enough for all connections while it is valid.
        expect(requests).toEqual([`POST Basic ${Buffer.from('assurance:a%20secret').toString('base64')}`]);
      } finally {
        tokens.close();
      }
    },
    START_MS,
  );

  it('is distinguished from one that does not answer', async () => {
    const sasl = { mechanism: 'plain', ...user } as const;
    const [wrong] = await open({ tls: tls(), sasl: { ...sasl, password: 'wrong' } });
    expect(wrong).toMatch(/^Kafka refuses the credentials or the mechanism: see ASSURANCE_KAFKA_SASL/);
    const [distrusted] = await open({ tls: { ca: null, client: null }, sasl });
    expect(distrusted).toMatch(
      /^The TLS connection to Kafka fails with [A-Z_]+: see ASSURANCE_KAFKA_TLS and ASSURANCE_KAFKA_CA\.$/,
    );
  }, 60_000);

  async function adminOf(sasl: { readonly mechanism: 'plain'; readonly username: string; readonly password: string }) {
    const kafka = new Kafka({ brokers: [server.url], ssl: { ca: [ca] }, sasl, logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    return admin;
  }

  it('is used with a topic that others made, and checked for how they did', async () => {
    const sasl = { mechanism: 'plain', ...user } as const;
    const admin = await adminOf(sasl);
    try {
      const make = (prefix: string, numPartitions: number, retention: string) =>
        admin.createTopics({
          topics: [
            {
              topic: `${prefix}assurance.events.v1`,
              numPartitions,
              replicationFactor: 1,
              configEntries: [{ name: 'retention.ms', value: retention }],
            },
          ],
          waitForLeaders: false,
        });
      await make('few.', 3, '-1');
      await make('short.', 12, '60000');
      const [few, ...rest] = await open({ tls: tls(), sasl }, undefined, 'few.');
      expect(few).toContain('Topic few.assurance.events.v1 has 3 partitions, so that at most 3 instances');
      expect(rest).toEqual([]);
      expect(await open({ tls: tls(), sasl }, undefined, 'short.')).toEqual([
        'Topic short.assurance.events.v1 drops commits: it has retention.ms=60000. Run: kafka-configs.sh --alter ' +
          '--entity-type topics --entity-name short.assurance.events.v1 --add-config retention.ms=-1',
      ]);
    } finally {
      await admin.disconnect();
    }
  });

  it('names the topics that others have to make, and the right that is missing, where it may make and ask little', async () => {
    const guest = { mechanism: 'plain', ...user, username: String(server.settings['KAFKA_GUEST']) } as const;
    const admin = await adminOf({ mechanism: 'plain', ...user });
    try {
      const common = {
        resourcePatternType: ResourcePatternTypes.LITERAL,
        host: '*',
        permissionType: AclPermissionTypes.ALLOW,
      };
      const cluster = { ...common, resourceType: AclResourceTypes.CLUSTER, resourceName: 'kafka-cluster' };
      const own = { ...common, resourceType: AclResourceTypes.TOPIC, resourceName: 'others.assurance.events.v1' };
      const principal = `User:${guest.username}`;
      const allowed = [AclOperationTypes.READ, AclOperationTypes.WRITE, AclOperationTypes.DESCRIBE];
      await admin.createAcls({
        acl: [
          { ...cluster, principal, operation: AclOperationTypes.IDEMPOTENT_WRITE },
          ...allowed.map((operation) => ({ ...own, principal, operation })),
          { ...own, resourceName: 'public', principal, operation: AclOperationTypes.WRITE },
        ],
      });
      expect(await open({ tls: tls(), sasl: guest }, undefined, 'others.')).toEqual([
        'Kafka has no topic others.assurance.events.v1, and this client may not make it. Run: kafka-topics.sh --create ' +
          '--topic others.assurance.events.v1 --partitions 12 --replication-factor 1 --config retention.ms=-1 --config retention.bytes=-1',
      ]);
      await haveTopic(admin, own.resourceName, { 'retention.ms': '-1' });
      const answers: string[] = [];
      const options = { brokers: [server.url], prefix: 'others.', security: { tls: tls(), sasl: guest } };
      const kafka = await openKafka({ ...options, onFault: (each) => answers.push((each as Error).message) });
      try {
        expect(answers).toEqual([
          'This client may not read how topic others.assurance.events.v1 is configured: grant it DescribeConfigs.',
        ]);
        await (await kafka.publisher()).publish([makeCommit()]);
        await expect(kafka.publicEvents('public')).rejects.toThrow(
          /may not make it\. Run: kafka-topics\.sh --create --topic public --partitions 12 --replication-factor 1$/,
        );
      } finally {
        await kafka.close();
      }
    } finally {
      await admin.disconnect();
    }
  }, 60_000);
});
