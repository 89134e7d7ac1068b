import { createHash } from 'node:crypto';

const SECOND = 1_700_000_000;

/** The fingerprint of a fictional artifact. */
export function fingerprintOf(number) {
  return createHash('sha256').update(String(number)).digest('hex');
}

/** One item of a docker report. */
function item(number, creationTimestamp = SECOND + number) {
  return {
    digests: { [`registry.example.com/shop/service-${number}:1.4.${number}`]: fingerprintOf(number) },
    creationTimestamp,
  };
}

/** The body of a report of artifacts with these numbers. */
export function report(numbers, createdAt) {
  return Buffer.from(JSON.stringify({ artifacts: numbers.map((number) => item(number, createdAt?.(number))) }));
}

/** `count` numbers from `from`. */
export function range(count, from = 0) {
  return Array.from({ length: count }, (_, i) => from + i);
}

/** Two reports that differ in one artifact. Sent in turn, each is a change. */
export function alternating(count) {
  return [report(range(count)), report([...range(count - 1), count])];
}
