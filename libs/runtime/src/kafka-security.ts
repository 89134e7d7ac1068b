import { createPrivateKey, X509Certificate } from 'node:crypto';
import { no, ok, type Result } from '@assurance/kernel';
import type { KafkaSecurity } from '@assurance/storage-kafka';
import { hiddenText, loneSetting, oneOf, pem, text, type ValuesOf, type Variable } from './variables';

const MECHANISMS = ['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const;

const certificate = pem('a certificate', (given) => new X509Certificate(given));

const tokenUrl: Variable<string | null> = {
  fallback: null,
  read: (given) =>
    URL.canParse(given) && ['http:', 'https:'].includes(new URL(given).protocol)
      ? ok(given)
      : no('must be an http or https URL'),
};

/** The settings of how Kafka is spoken to. Those that hold PEM or a secret may be files (`…_FILE`). */
export const KAFKA_SECURITY_VARIABLES = {
  ASSURANCE_KAFKA_TLS: oneOf(['off', 'on'], 'off'),
  ASSURANCE_KAFKA_CA: certificate,
  ASSURANCE_KAFKA_CERTIFICATE: certificate,
  ASSURANCE_KAFKA_KEY: pem('a private key without a passphrase', (given) => createPrivateKey(given)),
  ASSURANCE_KAFKA_SASL: oneOf(MECHANISMS, 'none'),
  ASSURANCE_KAFKA_USERNAME: text(null),
  ASSURANCE_KAFKA_PASSWORD: hiddenText,
  ASSURANCE_KAFKA_TOKEN_URL: tokenUrl,
  ASSURANCE_KAFKA_CLIENT_ID: text(null),
  ASSURANCE_KAFKA_CLIENT_SECRET: hiddenText,
  ASSURANCE_KAFKA_SCOPE: text(null),
} as const;

type Name = keyof typeof KAFKA_SECURITY_VARIABLES;
type Given = ValuesOf<typeof KAFKA_SECURITY_VARIABLES>;

/** @returns a refusal that names the setting that is missing, or that has no effect as things are */
export function kafkaSecurity(given: Given): Result<KafkaSecurity, string> {
  const tls = tlsOf(given);
  if (!tls.ok) return tls;
  const sasl = saslOf(given);
  return sasl.ok ? ok({ tls: tls.value, sasl: sasl.value }) : sasl;
}

function tlsOf(given: Given): Result<KafkaSecurity['tls'], string> {
  const { ASSURANCE_KAFKA_CA: ca, ASSURANCE_KAFKA_CERTIFICATE: own, ASSURANCE_KAFKA_KEY: key } = given;
  if (given.ASSURANCE_KAFKA_TLS === 'off') {
    const useless = (['ASSURANCE_KAFKA_CA', 'ASSURANCE_KAFKA_CERTIFICATE', 'ASSURANCE_KAFKA_KEY'] as const).find(
      (name) => given[name] !== null,
    );
    return useless === undefined ? ok(null) : no(`${useless} is set, but ASSURANCE_KAFKA_TLS is off: set it to on.`);
  }
  const lone = loneSetting(given, 'ASSURANCE_KAFKA_CERTIFICATE', 'ASSURANCE_KAFKA_KEY');
  if (lone !== null) return no(lone);
  return ok({ ca, client: own === null || key === null ? null : { certificate: own, key } });
}

function saslOf(given: Given): Result<KafkaSecurity['sasl'], string> {
  const { ASSURANCE_KAFKA_SASL: mechanism } = given;
  const wanting = (name: Name) => no(`ASSURANCE_KAFKA_SASL is ${mechanism}, which needs ${name}.`);
  if (mechanism === 'none') return ok(null);
  if (mechanism !== 'oauthbearer') {
    const { ASSURANCE_KAFKA_USERNAME: username, ASSURANCE_KAFKA_PASSWORD: password } = given;
    if (username === null) return wanting('ASSURANCE_KAFKA_USERNAME');
    if (password === null) return wanting('ASSURANCE_KAFKA_PASSWORD');
    return ok({ mechanism, username, password });
  }
  const { ASSURANCE_KAFKA_TOKEN_URL: url, ASSURANCE_KAFKA_CLIENT_ID: clientId } = given;
  const { ASSURANCE_KAFKA_CLIENT_SECRET: clientSecret, ASSURANCE_KAFKA_SCOPE: scope } = given;
  if (url === null) return wanting('ASSURANCE_KAFKA_TOKEN_URL');
  if (clientId === null) return wanting('ASSURANCE_KAFKA_CLIENT_ID');
  if (clientSecret === null) return wanting('ASSURANCE_KAFKA_CLIENT_SECRET');
  return ok({ mechanism, endpoint: { url, clientId, clientSecret, scope } });
}
