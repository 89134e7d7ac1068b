import { createPrivateKey, X509Certificate } from 'node:crypto';
import { err, ok, type Result } from '@assurance/kernel';
import type { KafkaSecurity } from '@assurance/storage/kafka';
import { hiddenText, isWeb, loneSetting, oneOf, pem, type ReadSetting, text, url } from './variables';

const MECHANISMS = ['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const;

const certificate = pem('a certificate', (input) => new X509Certificate(input));

const tokenUrl = url(isWeb, 'must be an http or https URL');

/**
 * Reads the settings of TLS and SASL for Kafka. Settings with PEM or a secret may be files (`…_FILE`).
 *
 * @returns a refusal names the setting that is missing, or that has no effect with the other settings
 */
export function kafkaSecurity(read: ReadSetting): Result<KafkaSecurity, string> {
  const tls = tlsOf(read);
  const sasl = saslOf(read);
  if (!tls.ok) return tls;
  return sasl.ok ? ok({ tls: tls.value, sasl: sasl.value }) : sasl;
}

function tlsOf(read: ReadSetting): Result<KafkaSecurity['tls'], string> {
  const off = read('ASSURANCE_KAFKA_TLS', oneOf(['off', 'on'], 'off')) === 'off';
  const ca = read('ASSURANCE_KAFKA_CA', certificate);
  const ownCertificate = read('ASSURANCE_KAFKA_CERTIFICATE', certificate);
  const key = read('ASSURANCE_KAFKA_KEY', pem('a private key without a passphrase', createPrivateKey));
  const client = { ASSURANCE_KAFKA_CERTIFICATE: ownCertificate, ASSURANCE_KAFKA_KEY: key };
  if (off) {
    const useless = Object.entries({ ASSURANCE_KAFKA_CA: ca, ...client }).find(([, value]) => value !== null);
    return useless === undefined
      ? ok(null)
      : err(`${useless[0]} is set, but ASSURANCE_KAFKA_TLS is off: set it to on.`);
  }
  const lone = loneSetting(client);
  if (lone !== null) return err(lone);
  return ok({ ca, client: ownCertificate === null || key === null ? null : { certificate: ownCertificate, key } });
}

function saslOf(read: ReadSetting): Result<KafkaSecurity['sasl'], string> {
  const mechanism = read('ASSURANCE_KAFKA_SASL', oneOf(MECHANISMS, 'none'));
  const username = read('ASSURANCE_KAFKA_USERNAME', text(null));
  const password = read('ASSURANCE_KAFKA_PASSWORD', hiddenText);
  const endpoint = read('ASSURANCE_KAFKA_TOKEN_URL', tokenUrl);
  const clientId = read('ASSURANCE_KAFKA_CLIENT_ID', text(null));
  const clientSecret = read('ASSURANCE_KAFKA_CLIENT_SECRET', hiddenText);
  const scope = read('ASSURANCE_KAFKA_SCOPE', text(null));
  const wanting = (name: string) => err(`ASSURANCE_KAFKA_SASL is ${mechanism}, which needs ${name}.`);
  if (mechanism === 'none') return ok(null);
  if (mechanism !== 'oauthbearer') {
    if (username === null) return wanting('ASSURANCE_KAFKA_USERNAME');
    if (password === null) return wanting('ASSURANCE_KAFKA_PASSWORD');
    return ok({ mechanism, username, password });
  }
  if (endpoint === null) return wanting('ASSURANCE_KAFKA_TOKEN_URL');
  if (clientId === null) return wanting('ASSURANCE_KAFKA_CLIENT_ID');
  if (clientSecret === null) return wanting('ASSURANCE_KAFKA_CLIENT_SECRET');
  return ok({ mechanism, endpoint: { url: endpoint, clientId, clientSecret, scope } });
}
