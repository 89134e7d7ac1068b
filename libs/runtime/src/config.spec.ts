import { readConfig } from './config';

const noFile = (path: string): string => {
  throw new Error(`reads ${path}`);
};

function config(env: Record<string, string>, file = '') {
  const read = readConfig(env, file === '' ? noFile : () => file);
  if (!read.ok) throw new Error(read.refusal);
  return read.value;
}

function refusal(env: Record<string, string>, file = ''): string {
  const read = readConfig(env, file === '' ? noFile : () => file);
  return read.ok ? 'accepted' : read.refusal;
}

const SCALED = {
  MONGODB_URL: 'mongodb://ada:hush@db:27017/?replicaSet=rs0',
  KAFKA_BROKERS: 'k1:9092, k2:9092',
  ASSURANCE_SECRET: 'x'.repeat(32),
};

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(config({}).config).toEqual({
      port: 8001,
      host: '127.0.0.1',
      operations: { host: '127.0.0.1', port: 8002 },
      blobs: null,
      tls: null,
      publicUrl: null,
      region: 'none',
      storage: { kind: 'embedded', folder: './data' },
      bootstrapFile: null,
      secret: null,
      previousSecret: null,
      logLevel: 'info',
      services: { ingestion: null, projection: null, 'notification-dispatcher': null, 'audit-package': null },
      serviceSilenceMs: 30_000,
      acceptingMs: 0,
      backupEverySeconds: null,
      proxies: { http: null, https: null, direct: ['localhost', '127.0.0.0/8', '::1'] },
      trustedProxies: [],
      reachedAt: [],
      pagesFolder: null,
      sessions: { idleMs: 8 * 3_600_000, longestMs: 7 * 24 * 3_600_000 },
      openIdConnect: null,
      assistantsWrite: false,
      organizations: { by: 'users', perUser: 10 },
      vulnerabilitySources: { urls: [], organizations: [], everyMs: 86_400_000 },
      limits: {
        bodyBytes: 33_554_432,
        evidenceBytes: 16_777_216,
        artifactsPerReport: 20_000,
        attachmentBytes: 268_435_456,
        requestsAtOnce: 1_000,
        bodyBytesAtOnce: 134_217_728,
        perMinute: { key: 600_000, organization: 1_200_000 },
        wrongKeysPerMinute: 300,
        storedBytes: { events: 50 * 1024 ** 3, attachments: 200 * 1024 ** 3 },
        perOrganization: {
          environments: 5_000,
          flows: 5_000,
          repositories: 20_000,
          controls: 5_000,
          spaces: 500,
          attestationTypes: 1_000,
          policies: 500,
        },
      },
      notifying: {
        targetNetworks: [],
        smtp: null,
        slack: { token: null, apiUrl: 'https://slack.com/api' },
        keepDays: 90,
      },
    });
    expect(config({}).warnings).toEqual([]);
  });

  it.each([
    ['ASSURANCE_PORT', '0', { port: 0, operations: { host: '127.0.0.1', port: 0 } }],
    ['ASSURANCE_OPERATIONS_PORT', '9002', { port: 8001, operations: { host: '127.0.0.1', port: 9002 } }],
    ['ASSURANCE_OPERATIONS_HOST', '::1', { operations: { host: '::1', port: 8002 } }],
    ['ASSURANCE_PORT', '65535', { port: 65_535 }],
    ['ASSURANCE_PORT', '', { port: 8001 }],
    ['ASSURANCE_HOST', '::', { host: '::' }],
    ['ASSURANCE_HOST', 'api.example.com', { host: 'api.example.com' }],
    ['ASSURANCE_PUBLIC_URL', 'https://example.com/', { publicUrl: 'https://example.com' }],
    ['ASSURANCE_PUBLIC_URL', 'https://example.com:8443/a/b//', { publicUrl: 'https://example.com:8443/a/b' }],
    ['ASSURANCE_REGION', 'eu', { region: 'eu' }],
    ['ASSURANCE_DATA_DIR', '/srv/assurance', { storage: { kind: 'embedded', folder: '/srv/assurance' } }],
    ['ASSURANCE_BOOTSTRAP_FILE', 'b.yaml', { bootstrapFile: 'b.yaml' }],
    ['ASSURANCE_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['ASSURANCE_REACHED_AT', '10.0.0.1:81, [fd00::1]:81', { reachedAt: ['10.0.0.1:81', '[fd00::1]:81'] }],
    [
      'ASSURANCE_TARGET_NETWORKS',
      '10.0.0.0/8, fd00::/8',
      { notifying: { targetNetworks: ['10.0.0.0/8', 'fd00::/8'] } },
    ],
    [
      'ASSURANCE_SMTP_URL',
      'smtp://mail:587',
      { notifying: { smtp: { url: 'smtp://mail:587', from: 'assurance@localhost' } } },
    ],
    ['ASSURANCE_SLACK_TOKEN', 'xoxb-1', { notifying: { slack: { token: 'xoxb-1' } } }],
    ['ASSURANCE_KEEP_DELIVERIES_DAYS', '2', { notifying: { keepDays: 2 } }],
    ['ASSURANCE_VULNERABILITIES_EVERY_MINUTES', '15', { vulnerabilitySources: { everyMs: 900_000 } }],
    ['ASSURANCE_INGESTION_URL', 'http://in:8001', { services: { ingestion: ['http://in:8001'] } }],
    [
      'ASSURANCE_PROJECTION_URL',
      'http://a:80/, https://b:8001,http://a',
      { services: { projection: ['http://a', 'https://b:8001'] } },
    ],
  ])('%s=%s', (name, value, expected) => {
    expect(config({ [name]: value }).config).toMatchObject(expected);
  });

  it('names the scaled engines', () => {
    expect(config(SCALED).config.storage).toEqual({
      kind: 'scaled',
      mongodbUrl: SCALED.MONGODB_URL,
      database: 'assurance',
      kafkaBrokers: ['k1:9092', 'k2:9092'],
      kafkaPrefix: '',
      kafkaSecurity: { tls: null, sasl: null },
      cloudEventsTopic: null,
    });
    const variables = { MONGODB_URL: 'mongodb://a,b:27018/other?replicaSet=rs0', ASSURANCE_KAFKA_PREFIX: 'eu.' };
    expect(config({ ...SCALED, ...variables }).config.storage).toMatchObject({ database: 'other', kafkaPrefix: 'eu.' });
    const topic = { ASSURANCE_CLOUDEVENTS_TOPIC: 'public.events' };
    expect(config({ ...SCALED, ...topic }).config.storage).toMatchObject({ cloudEventsTopic: 'public.events' });
  });

  it.each([
    ['ASSURANCE_PORT', 'http', 'ASSURANCE_PORT is "http", but must be a whole number from 0 to 65535.'],
    ['ASSURANCE_PORT', '65536', 'ASSURANCE_PORT is "65536", but must be a whole number from 0 to 65535.'],
    ['ASSURANCE_PORT', '-1', 'ASSURANCE_PORT is "-1", but must be a whole number from 0 to 65535.'],
    ['ASSURANCE_PORT', '80.0', 'ASSURANCE_PORT is "80.0", but must be a whole number from 0 to 65535.'],
    ['ASSURANCE_HOST', 'a b', 'ASSURANCE_HOST is "a b", but must be an IP address or a host name.'],
    [
      'ASSURANCE_TARGET_NETWORKS',
      '10.0.0.0/33',
      'ASSURANCE_TARGET_NETWORKS is "10.0.0.0/33", but must be networks such as 10.0.0.0/8 or fd00::/8, with commas between.',
    ],
    [
      'ASSURANCE_CLOUDEVENTS_TOPIC',
      'public.events',
      'ASSURANCE_CLOUDEVENTS_TOPIC is set, but the embedded engine has no Kafka to publish events on: ' +
        'set MONGODB_URL and KAFKA_BROKERS too, or leave it out.',
    ],
    [
      'ASSURANCE_CLOUDEVENTS_TOPIC',
      '..',
      'ASSURANCE_CLOUDEVENTS_TOPIC is "..", but must be the name of a topic: letters, digits, ., _ and - alone, at most 249.',
    ],
    [
      'ASSURANCE_REACHED_AT',
      '10.0.0.1:8001,fd00::1:8001',
      'ASSURANCE_REACHED_AT is "10.0.0.1:8001,fd00::1:8001", but must be addresses with a port, such as 10.0.0.1:8001 or [fd00::1]:8001, with commas between.',
    ],
    ['ASSURANCE_REGION', 'EU', 'ASSURANCE_REGION is "EU", but must be one of eu, us, none.'],
    [
      'ASSURANCE_MAX_BODY_BYTES',
      '32MB',
      'ASSURANCE_MAX_BODY_BYTES is "32MB", but must be a whole number from 1024 to 1073741824.',
    ],
    [
      'ASSURANCE_MAX_ARTIFACTS_PER_REPORT',
      '0',
      'ASSURANCE_MAX_ARTIFACTS_PER_REPORT is "0", but must be a whole number from 1 to 1000000.',
    ],
    [
      'ASSURANCE_LOG_LEVEL',
      'loud',
      'ASSURANCE_LOG_LEVEL is "loud", but must be one of fatal, error, warn, info, debug, trace, silent.',
    ],
  ])('refuses %s=%s with one sentence', (name, value, sentence) => {
    expect(refusal({ [name]: value })).toBe(sentence);
  });

  it.each([
    'ftp://example.com',
    'example.com',
    'http://example.com?a=1',
    'http://example.com/#a',
    'http://ada:hush@example.com',
    'http://',
  ])('refuses the public URL %s', (url) => {
    expect(refusal({ ASSURANCE_PUBLIC_URL: url })).toBe(
      `ASSURANCE_PUBLIC_URL is "${url}", but must be an http or https URL, with a path if you like, without a query, fragment, user or password.`,
    );
  });

  it.each(['in:8001', 'http://in:8001/api', 'http://in:8001,', 'http://in?x', 'ftp://in', 'http://a:b@in'])(
    'refuses %s for where a service is',
    (url) => {
      expect(refusal({ ASSURANCE_INGESTION_URL: url })).toBe(
        `ASSURANCE_INGESTION_URL is "${url}", but must be http://host:port, or several of them with commas between, without a path.`,
      );
    },
  );

  it.each([
    [
      { ASSURANCE_SECRET: 'hush' },
      'ASSURANCE_SECRET has 4 characters (not shown), but must have at least 32 characters.',
    ],
    [
      { ...SCALED, MONGODB_URL: 'ada:hush@db' },
      'MONGODB_URL has 11 characters (not shown), but must start with mongodb:// or mongodb+srv:// and name a host.',
    ],
  ])('never shows a secret value', (env, sentence) => {
    expect(refusal(env)).toBe(sentence);
  });

  it('reads where vulnerabilities are fetched from, and for whom', () => {
    const urls = ['https://osv.example.com/npm/all.zip?token=a', 'https://vex.example.com/b.json'];
    const { config: read } = config({
      ASSURANCE_VULNERABILITIES_URL: urls.join(', '),
      ASSURANCE_VULNERABILITIES_ORGANIZATIONS: 'acme,other',
    });
    expect(read).toMatchObject({ vulnerabilitySources: { urls, organizations: ['acme', 'other'] } });
  });

  it.each([
    [
      'http://osv.example.com/all.zip',
      /^ASSURANCE_VULNERABILITIES_URL has 30 characters \(not shown\), but must be https /,
    ],
    [
      'https://ada:hush@osv.example.com/',
      /^ASSURANCE_VULNERABILITIES_URL has .*must be https URLs without user and password/,
    ],
    [
      'https://osv.example.com/',
      /^ASSURANCE_VULNERABILITIES_URL is set and ASSURANCE_VULNERABILITIES_ORGANIZATIONS is not: /,
    ],
  ])('refuses %s as an address of vulnerabilities', (address, sentence) => {
    expect(refusal({ ASSURANCE_VULNERABILITIES_URL: address })).toMatch(sentence);
  });

  it.each([
    [{ MONGODB_URL: SCALED.MONGODB_URL }, /^MONGODB_URL is set and KAFKA_BROKERS is not: /],
    [{ KAFKA_BROKERS: SCALED.KAFKA_BROKERS }, /^KAFKA_BROKERS is set and MONGODB_URL is not: /],
    [{ ...SCALED, ASSURANCE_SECRET: '' }, /^ASSURANCE_SECRET is not set, but /],
    [{ ...SCALED, KAFKA_BROKERS: 'k1' }, /^KAFKA_BROKERS is "k1", but must be host:port, /],
  ])('refuses half of the scaled engines: %j', (env, sentence) => {
    expect(refusal(env)).toMatch(sentence);
  });

  describe('with a file', () => {
    const ASSURANCE_CONFIG_FILE = '/etc/a.yaml';

    it('reads the same names, and the environment wins', () => {
      const file = 'ASSURANCE_PORT: 9000\nASSURANCE_REGION: us\nASSURANCE_DATA_DIR: 0x10\n';
      const { config: read } = config({ ASSURANCE_CONFIG_FILE, ASSURANCE_PORT: '9001' }, file);
      expect(read).toMatchObject({ port: 9001, region: 'us', storage: { folder: '0x10' } });
    });

    it.each([
      ['ASSURANCE_PORT: high', 'ASSURANCE_PORT in /etc/a.yaml is "high", but must be a whole number from 0 to 65535.'],
      ['ASSURANCE_PORT: [1]', 'ASSURANCE_CONFIG_FILE /etc/a.yaml:1:17: ASSURANCE_PORT must be one value.'],
      ['- a', 'ASSURANCE_CONFIG_FILE /etc/a.yaml must contain settings, one NAME: value on each line.'],
    ])('refuses %j', (file, sentence) => {
      expect(refusal({ ASSURANCE_CONFIG_FILE }, file)).toBe(sentence);
    });

    it('refuses what is no YAML with its place', () => {
      expect(refusal({ ASSURANCE_CONFIG_FILE }, 'a: 1\nb: [')).toMatch(
        /^ASSURANCE_CONFIG_FILE \/etc\/a\.yaml:2:\d+ is not valid YAML: .+\.$/,
      );
    });

    it('refuses a file that cannot be read', () => {
      expect(refusal({ ASSURANCE_CONFIG_FILE })).toBe(
        'ASSURANCE_CONFIG_FILE /etc/a.yaml cannot be read: reads /etc/a.yaml.',
      );
    });
  });

  describe('with a secret in a file of its own', () => {
    const ASSURANCE_SECRET_FILE = '/run/secrets/assurance';

    it('reads the file without the white space around its text', () => {
      const read = config({ ASSURANCE_SECRET_FILE }, `${'y'.repeat(32)}\n`);
      expect(read.config.secret).toBe('y'.repeat(32));
      expect(read.warnings).toEqual([]);
    });

    it('refuses a wrong text without showing it', () => {
      expect(refusal({ ASSURANCE_SECRET_FILE }, 'hush')).toBe(
        'ASSURANCE_SECRET in /run/secrets/assurance has 4 characters (not shown), but must have at least 32 characters.',
      );
    });

    it('refuses a file that cannot be read, and a value beside the file', () => {
      expect(refusal({ ASSURANCE_SECRET_FILE })).toBe(
        'ASSURANCE_SECRET_FILE names /run/secrets/assurance, which cannot be read: reads /run/secrets/assurance.',
      );
      expect(refusal({ ASSURANCE_SECRET_FILE, ASSURANCE_SECRET: 'z'.repeat(32) })).toBe(
        'ASSURANCE_SECRET and ASSURANCE_SECRET_FILE are both set: set one of them.',
      );
    });

    it('takes no file for a setting that is no secret', () => {
      expect(config({ ASSURANCE_PORT_FILE: '/run/port' }).warnings).toEqual([
        'ASSURANCE_PORT_FILE is not a setting of this version and has no effect.',
      ]);
    });
  });

  it('warns of names that it does not know', () => {
    const env = { ASSURANCE_PROT: '1', PATH: '/bin', ASSURANCE_CONFIG_FILE: 'a.yaml' };
    expect(config(env, 'ASSURANCE_HOTS: a').warnings).toEqual([
      'ASSURANCE_PROT is not a setting of this version and has no effect.',
      'ASSURANCE_HOTS in a.yaml is not a setting of this version and has no effect.',
    ]);
  });
});
