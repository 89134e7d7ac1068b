import type { KafkaConfig } from 'kafkajs';
import { oauthToken, type TokenEndpoint } from './oauth-token';

/** How the brokers are spoken to, and who the service is to them. */
export interface KafkaSecurity {
  /** Null: without TLS. */
  readonly tls: KafkaTls | null;
  /** Null: without SASL. */
  readonly sasl: KafkaSasl | null;
}

/** PEM texts; null where nothing is given. */
export interface KafkaTls {
  /** Authorities that the brokers' certificates must come from; null: those that Node knows. */
  readonly ca: string | null;
  /** The service's own certificate and its private key, for brokers that want one. */
  readonly client: { readonly certificate: string; readonly key: string } | null;
}

export type KafkaSasl =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | { readonly mechanism: 'oauthbearer'; readonly endpoint: TokenEndpoint };

/** The same as kafkajs takes it. */
export function securityOptions({ tls, sasl }: KafkaSecurity): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  return {
    ...(tls === null ? {} : { ssl: tlsOptions(tls) }),
    ...(sasl === null ? {} : { sasl: saslOptions(sasl) }),
  };
}

function tlsOptions({ ca, client }: KafkaTls): KafkaConfig['ssl'] {
  return {
    ...(ca === null ? {} : { ca: [ca] }),
    ...(client === null ? {} : { cert: client.certificate, key: client.key }),
  };
}

function saslOptions(sasl: KafkaSasl): NonNullable<KafkaConfig['sasl']> {
  switch (sasl.mechanism) {
    case 'plain':
      return { mechanism: 'plain', username: sasl.username, password: sasl.password };
    case 'scram-sha-256':
      return { mechanism: 'scram-sha-256', username: sasl.username, password: sasl.password };
    case 'scram-sha-512':
      return { mechanism: 'scram-sha-512', username: sasl.username, password: sasl.password };
    case 'oauthbearer':
      return { mechanism: 'oauthbearer', oauthBearerProvider: oauthToken(sasl.endpoint) };
  }
}
