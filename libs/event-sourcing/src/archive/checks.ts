import type { Commit, StoredEvent } from '@assurance/storage-ports';
import { ARCHIVE, ArchiveFault, type Header, type Line, VERSION } from './format';

type Fields = Readonly<Record<string, unknown>>;

const SHA256 = /^[0-9a-f]{64}$/;
const ID = /^[0-9a-f]{32}$/;
const NAME_MAX = 1_024;

const text = (value: unknown): boolean => typeof value === 'string' && value.length <= NAME_MAX;
const count = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const digest = (value: unknown): boolean => typeof value === 'string' && SHA256.test(value);
const object = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const optional = (check: Check) => (value: unknown) => value === undefined || check(value);
const nullable = (check: Check) => (value: unknown) => value === null || check(value);

type Check = (value: unknown) => boolean;

/** Checks that a value is an object with these fields and no others. */
function has(checks: Readonly<Record<string, Check>>): Check {
  const names = Object.keys(checks);
  return (value) =>
    object(value) &&
    Object.keys(value).every((name) => Object.hasOwn(checks, name)) &&
    names.every((name) => checks[name]?.(Object.hasOwn(value, name) ? value[name] : undefined));
}

const event = has({
  type: text,
  version: count,
  digest,
  size: count,
  data: optional((value) => typeof value === 'string'),
} satisfies Record<keyof StoredEvent, Check>);

const commit = has({
  id: text,
  org: text,
  stream: text,
  seq: (value) => count(value) && (value as number) > 0,
  at: (value) => Number.isSafeInteger(value),
  actor: text,
  correlation: text,
  prev: nullable(digest),
  index: optional(
    has({
      snapshot: count,
      full: count,
      runs: text,
      runsCounted: text,
      identity: optional((value) => value === 'fingerprint'),
      observedAt: optional(count),
    }),
  ),
  events: (value) => Array.isArray(value) && value.length > 0 && value.every(event),
} satisfies Record<keyof Commit, Check>);

const counts = { commits: count, data: count, blobs: count, documents: count };

const lines: Readonly<Record<string, Check>> = {
  commit,
  data: has({ org: text, digest, size: count }),
  blob: has({ org: text, sha256: digest, size: count }),
  piece: (value) => typeof value === 'string',
  document: has({ collection: text, id: text, doc: object }),
  end: has({ ...counts, sha256: digest }),
};

const header = has({
  archive: (value) => value === ARCHIVE,
  version: (value) => value === VERSION,
  id: (value) => typeof value === 'string' && ID.test(value),
  at: count,
  organization: nullable(text),
  secrets: (value) => typeof value === 'boolean',
});

/** @throws ArchiveFault */
export function headerOf(line: Buffer): Header {
  const value = parseLine(line);
  if (!object(value) || value['archive'] !== ARCHIVE) throw new ArchiveFault('is not an archive of this service');
  if (value['version'] !== VERSION) {
    const version = JSON.stringify(value['version'] ?? null).slice(0, 100);
    throw new ArchiveFault(`has the format version ${version}; this release reads version ${VERSION}`);
  }
  if (!header(value)) throw new ArchiveFault('has an invalid first line');
  return value as unknown as Header;
}

/**
 * @param number the number of the line, from 1
 * @throws ArchiveFault
 */
export function lineOf(line: Buffer, number: number): Line {
  const value = parseLine(line);
  const [kind, ...more] = object(value) ? Object.keys(value) : [];
  const check = kind !== undefined && Object.hasOwn(lines, kind) ? lines[kind] : undefined;
  if (!object(value) || kind === undefined || check === undefined || more.length > 0) {
    throw new ArchiveFault(`has an unknown kind of entry in line ${number}`);
  }
  if (!check(value[kind])) throw new ArchiveFault(`has an invalid ${kind} in line ${number}`);
  return value as unknown as Line;
}

function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
