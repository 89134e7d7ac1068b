import { StoreMisconfigured, StoreUnavailable, tlsCodeOf } from '@assurance/storage-ports';

/** Explains why the service cannot use Kafka. It distinguishes a wrong setting from an unavailable broker. */
export function whyUnavailable(cause: unknown): StoreUnavailable | StoreMisconfigured {
  if (cause instanceof StoreMisconfigured) return cause;
  const code = tlsCodeOf(cause);
  if (code !== null) {
    return new StoreMisconfigured(
      `The TLS connection to Kafka fails with ${code}: see ASSURANCE_KAFKA_TLS and ASSURANCE_KAFKA_CA.`,
      { cause },
    );
  }
  if (isRefusal(cause)) {
    return new StoreMisconfigured(
      'Kafka refuses the credentials or the mechanism: see ASSURANCE_KAFKA_SASL and the settings of its mechanism.',
      { cause },
    );
  }
  return new StoreUnavailable('Kafka does not answer', { cause });
}

function isRefusal(fault: unknown): boolean {
  return fault instanceof Error && (fault.name === 'KafkaJSSASLAuthenticationError' || isRefusal(fault.cause));
}
