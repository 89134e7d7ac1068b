import { readConfig } from './config';

const SCALED = {
  MONGODB_URL: 'mongodb://db',
  KAFKA_BROKERS: 'k:9093',
  ASSURANCE_SECRET: 'a secret that is long enough for this',
};
const ON = { ...SCALED, ASSURANCE_KAFKA_TLS: 'on' };
const USER = { ASSURANCE_KAFKA_USERNAME: 'ada', ASSURANCE_KAFKA_PASSWORD: 'not shown' };
const TOKENS = {
  ASSURANCE_KAFKA_TOKEN_URL: 'https://login.example.com/token',
  ASSURANCE_KAFKA_CLIENT_ID: 'assurance',
  ASSURANCE_KAFKA_CLIENT_SECRET: 'not shown',
};
/** A key of Ed25519, made for this file. */
const KEY = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIE6DuSItKSYyGTn6GZYlrVJ8VGuzWEBJ8KMUWVZqyr3w
-----END PRIVATE KEY-----`;

function read(env: Record<string, string>) {
  const config = readConfig(env, () => {
    throw new Error('there is no such file');
  });
  if (!config.ok) return config.refusal;
  const { storage } = config.value.config;
  if (storage.kind !== 'scaled') throw new Error('the scaled engines were named');
  return storage.kafkaSecurity;
}

describe('how Kafka is spoken to', () => {
  it('is without TLS and SASL unless settings say so', () => {
    expect(read(SCALED)).toEqual({ tls: null, sasl: null });
    expect(read(ON)).toEqual({ tls: { ca: null, client: null }, sasl: null });
  });

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])('has a user and a password with %s', (mechanism) => {
    const { sasl } = read({ ...ON, ...USER, ASSURANCE_KAFKA_SASL: mechanism }) as { sasl: unknown };
    expect(sasl).toEqual({ mechanism, username: 'ada', password: 'not shown' });
  });

  it('has tokens of an endpoint with oauthbearer', () => {
    const endpoint = { url: 'https://login.example.com/token', clientId: 'assurance', clientSecret: 'not shown' };
    const env = { ...ON, ...TOKENS, ASSURANCE_KAFKA_SASL: 'oauthbearer' };
    expect(read(env)).toMatchObject({ sasl: { mechanism: 'oauthbearer', endpoint: { ...endpoint, scope: null } } });
    expect(read({ ...env, ASSURANCE_KAFKA_SCOPE: 'kafka' })).toMatchObject({ sasl: { endpoint: { scope: 'kafka' } } });
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ ...SCALED, ASSURANCE_KAFKA_KEY: KEY }, /^ASSURANCE_KAFKA_KEY is set, but ASSURANCE_KAFKA_TLS is off: /],
    [{ ...ON, ASSURANCE_KAFKA_KEY: KEY }, /^ASSURANCE_KAFKA_KEY is set and ASSURANCE_KAFKA_CERTIFICATE is not: /],
    [{ ...ON, ASSURANCE_KAFKA_CA: 'x' }, /^ASSURANCE_KAFKA_CA has 1 characters .+ must be a certificate in PEM\.$/],
    [
      { ...ON, ASSURANCE_KAFKA_KEY: 'x' },
      /^ASSURANCE_KAFKA_KEY has 1 .+ must be a private key without a passphrase in PEM\.$/,
    ],
    [{ ...ON, ASSURANCE_KAFKA_CA_FILE: 'gone' }, /^ASSURANCE_KAFKA_CA_FILE names gone, which cannot be read: /],
    [{ ...ON, ASSURANCE_KAFKA_SASL: 'gssapi' }, /^ASSURANCE_KAFKA_SASL is "gssapi", but must be one of none, plain, /],
    [
      { ...ON, ASSURANCE_KAFKA_SASL: 'plain' },
      /^ASSURANCE_KAFKA_SASL is plain, which needs ASSURANCE_KAFKA_USERNAME\.$/,
    ],
    [
      { ...ON, ASSURANCE_KAFKA_SASL: 'scram-sha-512', ASSURANCE_KAFKA_USERNAME: 'ada' },
      /^ASSURANCE_KAFKA_SASL is scram-sha-512, which needs ASSURANCE_KAFKA_PASSWORD\.$/,
    ],
    [{ ...ON, ASSURANCE_KAFKA_SASL: 'oauthbearer' }, /which needs ASSURANCE_KAFKA_TOKEN_URL\.$/],
    [
      { ...ON, ASSURANCE_KAFKA_TOKEN_URL: 'login' },
      /^ASSURANCE_KAFKA_TOKEN_URL is "login", but must be an http or https URL\.$/,
    ],
  ])('is refused where a setting is wrong or missing (%#)', (env, sentence) => {
    expect(read(env)).toMatch(sentence);
  });
});
