import type { AttestationReported } from '@assurance/contracts/evidence/events';
import { dataFault, type Link, linkFault } from '@assurance/event-sourcing/sealing/chain';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import type { Commit, StoredEvent } from '@assurance/storage-ports';
import type { ClaimedState } from './claimed-state';
import type { RecordedVex } from './vex';

const ATTESTED = 'AttestationReported' satisfies AttestationReported['type'];

/** The result of reading a file of commits. */
export interface CommitRange {
  readonly stream: string;
  /** The first commit in it. */
  readonly first: Pick<Commit, 'seq' | 'prev'>;
  readonly last: Link;
}

/** The data of a bill of materials in a commit. */
export interface RecordedSbom {
  /** Digests of its documents. */
  readonly sha256: readonly string[];
  readonly components: AttestationReported['data']['components'] | null;
}

/** Reads a file of commits, one in each line. Checks that each commit follows the one before it, and that its data has the right digests. */
export class CommitReader {
  private first: Commit | null = null;
  private last: { readonly stream: string } & Link = { stream: '', seq: 0, hash: '' };
  /** The commits that refer to each attachment, by its SHA-256. */
  readonly attachments = new Map<string, Pick<Commit, 'org' | 'stream' | 'at'>[]>();

  /** The bills of materials in commits, by id of the attestation. */
  readonly sboms = new Map<string, RecordedSbom>();

  /**
   * @param results receive the events of commits
   * @param onFault called with each fault
   */
  constructor(
    private readonly results: { readonly claims: ClaimedState; readonly vex: RecordedVex },
    private readonly onFault: (fault: string) => void,
  ) {}

  take(line: string): void {
    try {
      this.takeCommit(JSON.parse(line) as Commit);
    } catch {
      // The content is untrusted and may have any shape.
      this.onFault('a line is no commit');
    }
  }

  private takeCommit(commit: Commit): void {
    const { stream, seq } = commit;
    const fault = this.first === null ? null : this.faultOfPlace(commit);
    if (fault !== null) this.onFault(`commit ${seq}: ${fault}`);
    for (const event of commit.events) this.takeEvent(event, commit);
    this.first ??= commit;
    this.last = { stream, seq, hash: commitHash(commit) };
  }

  /** The range of commits that were read; null if there were none. */
  get range(): CommitRange | null {
    if (this.first === null) return null;
    const { stream, seq, prev } = this.first;
    return { stream, first: { seq, prev }, last: this.last };
  }

  private faultOfPlace(commit: Commit): string | null {
    if (commit.stream !== this.last.stream) return `it is of the stream ${commit.stream}, not of ${this.last.stream}`;
    if (commit.seq !== this.last.seq + 1) return `it does not follow ${this.last.seq}`;
    return linkFault(commit, this.last);
  }

  private takeEvent(event: StoredEvent, commit: Commit): void {
    // Data that is not in the commit is in a file beside it, or is not about the subject of the package.
    const { claims, vex } = this.results;
    const fault =
      (event.data === undefined ? null : dataFault(event, event.data)) ??
      claims.take(commit, event) ??
      vex.take(commit, event);
    if (fault !== null) return this.onFault(`commit ${commit.seq}: ${fault}`);
    if (event.data === undefined || event.type !== ATTESTED) return;
    const { id, type, attachments, components = null } = JSON.parse(event.data) as AttestationReported['data'];
    if (type === 'sbom') this.sboms.set(id, { sha256: attachments.map((one) => one.sha256), components });
    const { org, stream, at } = commit;
    for (const { sha256 } of attachments)
      this.attachments.set(sha256, [...(this.attachments.get(sha256) ?? []), { org, stream, at }]);
  }
}
