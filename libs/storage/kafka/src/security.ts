import type { KafkaConfig, SASLOptions } from 'kafkajs';
import { oauthToken, type TokenEndpoint } from './oauth-token';

/** The protocol, and the certificates and name by which the service connects to the brokers. PEM texts; null if not set. */
export interface KafkaSecurity {
  /** Null: without TLS. */
  readonly tls: {
    /** The authorities that may issue the brokers' certificates; null: the authorities that Node knows. */
    readonly ca: string | null;
    /** The service's own certificate and its private key, for brokers that require one. */
    readonly client: { readonly certificate: string; readonly key: string } | null;
  } | null;
  /** Null: without SASL. */
  readonly sasl:
    | {
        readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
        readonly username: string;
        readonly password: string;
      }
    | { readonly mechanism: 'oauthbearer'; readonly endpoint: TokenEndpoint }
    | null;
}

/** Converts the settings to options of kafkajs. */
export function securityOptions({ tls, sasl }: KafkaSecurity): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  return {
    ...(tls === null ? {} : { ssl: tlsOptions(tls) }),
    ...(sasl === null ? {} : { sasl: saslOptions(sasl) }),
  };
}

function tlsOptions({ ca, client }: NonNullable<KafkaSecurity['tls']>): KafkaConfig['ssl'] {
  return {
    ...(ca === null ? {} : { ca: [ca] }),
    ...(client === null ? {} : { cert: client.certificate, key: client.key }),
  };
}

function saslOptions(sasl: NonNullable<KafkaSecurity['sasl']>): SASLOptions {
  // The types of kafkajs accept only one mechanism at a time, not a union.
  if (sasl.mechanism !== 'oauthbearer') return sasl as SASLOptions;
  return { mechanism: 'oauthbearer', oauthBearerProvider: oauthToken(sasl.endpoint) };
}
