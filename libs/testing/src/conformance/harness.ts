import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { byteLength, canonicalJson, sha256, uuidv7 } from '@assurance/kernel';
import type { AppendOutcome, Commit, Engines, EventStore, StoredEvent } from '@assurance/storage-ports';

/** Opens the engine under test: on a database of its own, empty. */
export type OpenEngine<Port extends keyof Engines> = () => Promise<{
  engines: Pick<Engines, Port>;
  close(): Promise<void>;
}>;

/** How often a conflict without a rival may come before the suite calls it a fault. */
const CONFLICTS_MAX = 8;

let counter = 0;

/** A number that no other call in this process gave. */
export function tick(): number {
  counter += 1;
  return counter;
}

/** A name that no other call in this process gave: lower-case letters, digits and underscores, as collections want it. */
export function unique(kind: string): string {
  return `${kind}_${tick()}`;
}

/** Opens the engine once before the suite's tests and closes it after them. */
export function opened<Port extends keyof Engines>(open: OpenEngine<Port>): () => Pick<Engines, Port> {
  let current: Awaited<ReturnType<OpenEngine<Port>>> | undefined;
  beforeAll(async () => {
    current = await open();
  });
  afterAll(async () => {
    await current?.close();
  });
  return () => {
    if (current === undefined) throw new Error('the engine is not open');
    return current.engines;
  };
}

/** A UUIDv7 that no other call in this process gave. */
export function id(): string {
  const random = new Uint8Array(10);
  new DataView(random.buffer).setUint32(4, tick());
  return uuidv7(1_700_000_000_000, random);
}

/** An event with its data inside the commit. */
export function makeEvent(data: unknown = { n: tick() }): StoredEvent {
  const text = canonicalJson(data);
  return { type: 'SomethingHappened', version: 1, digest: sha256(text), size: byteLength(text), data: text };
}

/** The first commit of a new stream, but for what is given. */
export function makeCommit(input: Partial<Commit> = {}): Commit {
  return {
    id: id(),
    org: 'org',
    stream: `environment/${unique('e')}`,
    seq: 1,
    at: 1_700_000_000_000 + tick(),
    actor: unique('actor'),
    correlation: unique('correlation'),
    prev: null,
    events: [makeEvent()],
    ...input,
  };
}

/** The commit that follows another in its stream, but for what is given. */
export function nextCommit(before: Commit, input: Partial<Commit> = {}): Commit {
  const { stream, org, actor } = before;
  return makeCommit({ stream, org, actor, seq: before.seq + 1, prev: commitHash(before), ...input });
}

/** A stream's first commits, one for each of `given`. */
export function makeStream(input: readonly Partial<Commit>[], first: Partial<Commit> = {}): Commit[] {
  const commits: Commit[] = [];
  for (const over of input) {
    const before = commits.at(-1);
    commits.push(before === undefined ? makeCommit({ ...first, ...over }) : nextCommit(before, over));
  }
  return commits;
}

/**
 * Appends, and again while the answer is a conflict and no other commit has the place: the port allows that, and where a
 * test is about something else it must not matter.
 */
export async function appendUntilSettled(events: EventStore, commit: Commit): Promise<AppendOutcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await events.append(commit);
    if (outcome !== 'conflict') return outcome;
    const [there] = await events.read(commit.stream, commit.seq, 1);
    if (there !== undefined && there.id !== commit.id) return outcome;
    if (tries === CONFLICTS_MAX) throw new Error(`${commit.stream}#${commit.seq} conflicts for ever with nobody`);
  }
}

/** Appends one after the other; all of them must end as `appended`. */
export async function appendAll(events: EventStore, commits: readonly Commit[]): Promise<void> {
  for (const commit of commits) {
    const outcome = await appendUntilSettled(events, commit);
    if (outcome !== 'appended') throw new Error(`${commit.stream}#${commit.seq}: ${outcome}`);
  }
}

/** Names that only a store with a collation, a normalisation or trimmed blanks takes for one another. */
export function lookAlikes(base: string): string[] {
  return [
    `${base}/name`,
    `${base}/Name`,
    `${base}/NAME`,
    `${base}/name `,
    `${base}/ name`,
    `${base}/name\t`,
    `${base}/n\u00e4me`,
    `${base}/na\u0308me`,
    `${base}/stra\u00dfe`,
    `${base}/strasse`,
    `${base}/\u212a`,
    `${base}/k`,
    `${base}/\ufb01le`,
    `${base}/file`,
    `${base}/01`,
    `${base}/1`,
    `${base}/1.0`,
    `${base}/\u{1f600}`,
    `${base}/\u200bname`,
    `${base}/%6eame`,
    `${base}/name%`,
    `${base}/nam_`,
  ];
}
