import { kindOf } from '@assurance/contracts/events/streams';
import type { AttestationReported } from '@assurance/contracts/evidence/events';
import type { ArtifactReported, TrailEvent } from '@assurance/contracts/flows/events';
import { checkpointCovering, type InclusionProof } from '@assurance/event-sourcing/checkpoints/covering';
import { BrokenRecord, commitAt, commitsOf, dataOf } from '@assurance/event-sourcing/sealing/read';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { canonicalJson } from '@assurance/kernel';
import type { Commit, Engines, EventStore, StoredEvent } from '@assurance/storage-ports';
import type { Chain } from '../../package/manifest';
import { numbered } from '../../package/names';
import { type PackageFile, textFile } from '../../package/write';

/** The size at which a file of commits ends (bytes). */
const FILE_BYTES = 1024 * 1024;
/** Where a checkpoint is further away, it is left out: what lies between is not about what the package is of. */
const FAR = 1_000;

/** What is read of the store. */
export type Records = Pick<Engines, 'events' | 'documents'>;

/** A range of commits of a stream that goes into a package. */
export interface CommitRange {
  readonly stream: string;
  readonly from: number;
  /** Where a checkpoint holds it: there; the chain leads to it. */
  readonly to: Commit;
  readonly covering: InclusionProof | null;
}

/**
 * From a commit to where the first checkpoint that holds it holds the stream.
 *
 * @param from seq, no later than the commit
 */
export async function commitRangeTo(engines: Records, from: number, commit: Commit): Promise<CommitRange> {
  const { stream } = commit;
  const covering = await checkpointCovering(engines, commit);
  const reached = covering?.reached.seq ?? commit.seq;
  if (covering === null || reached > commit.seq + FAR) return { stream, from, to: commit, covering: null };
  const to = reached === commit.seq ? commit : await commitAt(engines.events, stream, reached);
  return { stream, from, to, covering };
}

/** From each of some commits of a stream on, but no commit twice. */
export async function rangesOf(engines: Records, stream: string, seqs: Iterable<number>): Promise<CommitRange[]> {
  const ranges: CommitRange[] = [];
  let reached = 0;
  for (const seq of [...seqs].sort((a, b) => a - b)) {
    if (seq <= reached) continue;
    const range = await commitRangeTo(engines, seq, await commitAt(engines.events, stream, seq));
    reached = range.to.seq;
    ranges.push(range);
  }
  return ranges;
}

/** Selects the events of a commit whose data goes into a package. Of the others only type, size and digest do, which the chain needs. */
export type EventFilter = (event: StoredEvent, commit: Commit) => boolean;

/** The further files of a commit. */
export type CommitFiles = (commit: Commit) => Iterable<PackageFile> | AsyncIterable<PackageFile>;

/** Writes ranges of streams, each as a folder of files of commits. */
export class ChainFiles {
  readonly chains: Chain[] = [];
  private readonly outside = new Set<string>();

  constructor(private readonly events: EventStore) {}

  /**
   * The commits of a range, a line each, with what lies outside of them and what they bring beside themselves.
   *
   * @param selects which data goes along
   */
  async *filesOf(
    { stream, from, to, covering }: CommitRange,
    selects: EventFilter,
    beside?: CommitFiles,
  ): AsyncGenerator<PackageFile> {
    const number = this.chains.length + 1;
    const folder = `events/${numbered(number, 3, kindOf(stream))}`;
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
      const selected = commit.events.filter((event) => selects(event, commit));
      if (beside !== undefined) yield* beside(commit);
      yield* this.outsideOf(commit, selected);
      const line = `${lineOf(commit, selected)}\n`;
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

  /** Data that lies outside of its commit, once; payloads of attestations lie beside the attestation. */
  private async *outsideOf(commit: Commit, selected: readonly StoredEvent[]): AsyncGenerator<PackageFile> {
    for (const event of selected) {
      const { type, digest, data } = event;
      if (data !== undefined || type === PAYLOAD || this.outside.has(digest)) continue;
      this.outside.add(digest);
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
  // A payload follows its attestation, as its lists of components and findings do.
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
