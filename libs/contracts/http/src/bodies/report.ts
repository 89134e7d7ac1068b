import { PATTERNS, patternMessage } from '../patterns';
import { Closed } from './described';
import { Given } from './instance';
import { isPlain } from './plain';
import { Doc, MapOf, NestedList, WholeNumber } from './rules';

const ANY_CASE = /^[a-fA-F0-9]{64}$/;

/** Stored lower; what is no digest stays as it came, for the message. */
function lowered(digests: unknown): unknown {
  if (!isPlain(digests)) return digests;
  return Object.fromEntries(
    Object.entries(digests).map(([name, sha]) => [
      name,
      typeof sha === 'string' && ANY_CASE.test(sha) ? sha.toLowerCase() : sha,
    ]),
  );
}

/** One container, with what runs in it. */
@Closed()
export class DockerReportArtifact {
  @Doc('SHA-256 digests by image name: 64 hexadecimal characters.', { 'shop/web:1.4': 'a'.repeat(64) })
  @Given(lowered)
  @MapOf(
    (name, sha) =>
      typeof sha === 'string' && PATTERNS.fingerprint.matches(sha)
        ? null
        : { [name]: patternMessage(PATTERNS.fingerprint, sha) },
    { type: 'string', pattern: '^[a-fA-F0-9]{64}$' },
  )
  digests!: Readonly<Record<string, string>>;

  @Doc('When the instance was created, in epoch seconds; 0 when unknown.', 1_700_000_000)
  @WholeNumber(0)
  creationTimestamp!: number;
}

/** `PUT /environments/{org}/{env}/report/docker`: all that runs now (specification 2.9 and 4.3). */
@Closed()
export class DockerReport {
  @Doc('Everything that runs in the environment now. An empty list or null: nothing runs.')
  @Given((artifacts) => (artifacts === null ? [] : artifacts))
  @NestedList(() => DockerReportArtifact)
  artifacts!: readonly DockerReportArtifact[];
}

/** How many artifacts a report has, before anybody checked it: each digest of an item is one (WIRE 4), and so is an item that has none. */
export function artifactCount(body: unknown): number {
  const items = isPlain(body) ? body['artifacts'] : null;
  if (!Array.isArray(items)) return 0;
  return items.reduce<number>((count, item: unknown) => {
    const digests = isPlain(item) ? item['digests'] : null;
    return count + Math.max(1, isPlain(digests) ? Object.keys(digests).length : 1);
  }, 0);
}
