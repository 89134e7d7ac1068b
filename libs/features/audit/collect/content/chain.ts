import { kindOf } from '@assurance/contracts/events/streams';
import type { AttestationReported } from '@assurance/contracts/evidence/events';
import type { ArtifactReported, TrailEvent } from '@assurance/contracts/flows/events';
import { checkpointCovering, type InclusionProof } from '@assurance/event-sourcing/checkpoints/covering';
import { BrokenRecord, commitAt, commitsOf, dataOf } from '@assurance/event-sourcing/sealing/read';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { canonicalJson } from '@assurance/kernel';
import type { Commit, Engines, EventStore, StoredEvent } from '@assurance/storage-ports';
import type { Chain } from '../../package/manifest';
import { numberedName } from '../../package/names';
import { type PackageFile, textFile } from '../../package/write';

/** A file of commits ends when it reaches this size (bytes). */
const FILE_BYTES = 1024 * 1024;
/** A checkpoint that is more commits away than this is left out, because the commits before it are not about the subject of the package. */
const FAR = 1_000;

/** The parts of the store that are read. */
export type Records = Pick<Engines, 'events' | 'documents'>;

/** A range of commits of a stream that goes into a package. */
export interface CommitRange {
  readonly stream: string;
  readonly from: number;
  /** The last commit. If there is a checkpoint, it is the commit that the checkpoint contains. */
  readonly to: Commit;
  readonly proof: InclusionProof | null;
}

/**
 * The range that ends at the position of the stream in the first checkpoint that covers a commit. It ends at the commit if no checkpoint is near.
 *
 * @param from seq at which the range begins, no later than the commit
 */
export async function commitRangeTo(engines: Records, from: number, commit: Commit): Promise<CommitRange> {
  const { stream } = commit;
  const proof = await checkpointCovering(engines, commit);
  const coveredSeq = proof?.reached.seq ?? commit.seq;
  if (proof === null || coveredSeq > commit.seq + FAR) return { stream, from, to: commit, proof: null };
  const to = coveredSeq === commit.seq ? commit : await commitAt(engines.events, stream, coveredSeq);
  return { stream, from, to, proof };
}

/** The ranges that cover some commits of a stream. No commit is in two ranges. */
export async function rangesOf(engines: Records, stream: string, seqs: Iterable<number>): Promise<CommitRange[]> {
  const ranges: CommitRange[] = [];
  let coveredSeq = 0;
  for (const seq of [...seqs].sort((a, b) => a - b)) {
    if (seq <= coveredSeq) continue;
    const range = await commitRangeTo(engines, seq, await commitAt(engines.events, stream, seq));
    coveredSeq = range.to.seq;
    ranges.push(range);
  }
  return ranges;
}

/** Selects the events that are packaged with their data. Other events are packaged only with type, size and digest, which the chain needs. */
export type EventFilter = (event: StoredEvent, commit: Commit) => boolean;

/** The additional files of a commit. */
export type CommitFiles = (commit: Commit) => Iterable<PackageFile> | AsyncIterable<PackageFile>;

/** Writes each range of a stream as a folder with files of commits. */
export class ChainFiles {
  readonly chains: Chain[] = [];
  private readonly writtenDigests = new Set<string>();

  constructor(private readonly events: EventStore) {}

  /**
   * The files of a range: the commits, one in each line, the data that is stored outside of them, and their additional files.
   *
   * @param selects the events that are packaged with their data
   */
  async *filesOf(
    { stream, from, to, proof: covering }: CommitRange,
    selects: EventFilter,
    filesBeside?: CommitFiles,
  ): AsyncGenerator<PackageFile> {
    const number = this.chains.length + 1;
    const folder = `events/${numberedName(number, 3, kindOf(stream))}`;
    const files: string[] = [];
    let page: string[] = [];
    let bytes = 0;
    let first = from;
    const flush = (next: number): PackageFile => {
      const path = `${folder}/${String(first).padStart(8, '0')}.jsonl`;
      const file = textFile(path, page.join(''));
      files.push(path);
      [page, bytes, first] = [[], 0, next];
      return file;
    };
    let last = 0;
    for await (const commit of commitsOf(this.events, stream, from, to.seq)) {
      const selectedEvents = commit.events.filter((event) => selects(event, commit));
      if (filesBeside !== undefined) yield* filesBeside(commit);
      yield* this.outsideOf(commit, selectedEvents);
      const line = `${lineOf(commit, selectedEvents)}\n`;
      page.push(line);
      bytes += line.length;
      last = commit.seq;
      if (bytes >= FILE_BYTES) yield flush(last + 1);
    }
    if (last !== to.seq) throw new BrokenRecord(`commits of ${stream} after ${last} are gone`);
    if (page.length > 0) yield flush(last + 1);
    const checkpoint = covering === null ? null : `checkpoints/${String(number).padStart(3, '0')}.json`;
    if (checkpoint !== null) yield textFile(checkpoint, `${canonicalJson(covering)}\n`);
    this.chains.push({ stream, from, to: to.seq, head: commitHash(to), files, checkpoint });
  }

  /** The data that is stored outside of its commit, once for each digest. It leaves out payloads, because each is a file beside its attestation. */
  private async *outsideOf(commit: Commit, selected: readonly StoredEvent[]): AsyncGenerator<PackageFile> {
    for (const event of selected) {
      const { type, digest, data } = event;
      if (data !== undefined || type === PAYLOAD || this.writtenDigests.has(digest)) continue;
      this.writtenDigests.add(digest);
      const text = await dataOf(this.events, commit, event);
      yield { ...textFile(`events/data/${digest}.json`, text), sha256: digest };
    }
  }
}

export const PAYLOAD = 'AttestationPayloadKept' satisfies TrailEvent['type'];
export const COMPONENTS = 'ComponentsListed' satisfies TrailEvent['type'];
export const FINDINGS = 'FindingsListed' satisfies TrailEvent['type'];

function lineOf(commit: Commit, selected: readonly StoredEvent[]): string {
  const events = commit.events.map((event) => {
    if (selected.includes(event)) return event;
    const { data: _, ...rest } = event;
    return rest;
  });
  return canonicalJson({ ...commit, events });
}

/**
 * Keeps events about the subject of a package, and events about the trail itself.
 *
 * @param ids of attestations, and fingerprints of artifacts
 */
export function filterBySubject(ids: ReadonlySet<string>): EventFilter {
  // The payload and the lists of components and findings come after their attestation.
  let attested = false;
  return ({ type, data }) => {
    switch (type) {
      case 'AttestationReported':
        return (attested = data === undefined || ids.has((JSON.parse(data) as AttestationReported['data']).id));
      case PAYLOAD:
      case COMPONENTS:
      case FINDINGS:
        return attested;
      case 'ArtifactReported':
        return data === undefined || ids.has((JSON.parse(data) as ArtifactReported['data']).fingerprint);
      default:
        return true;
    }
  };
}
