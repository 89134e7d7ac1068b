import { createHash } from 'node:crypto';
import { decodeEvent } from '@assurance/contracts/events/codec';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import type { Attachment, AttestationReported } from '@assurance/contracts/evidence/events';
import { findCommit } from '@assurance/event-sourcing/sealing/read';
import type { Ports } from '@assurance/event-sourcing/tokens';
import { forgetOldest } from '@assurance/kernel';
import type { Blobs, Commit } from '@assurance/storage-ports';
import type { BegunErasures } from './begun-erasures';
import type { DroppedData } from './dropped-data';

/** How many contents are read concurrently. */
const AT_ONCE = 8;
/** The most contents that are cached as intact. Others are read again for the next attestation that refers to them. */
const CONTENTS = 100_000;
/** How many times a content is read, if reading breaks off while its store answers. */
const READS = 2;

/** An attestation with attachments. It has no payload, because a page of commits has many attestations. */
export type AttestationWithAttachments = Pick<AttestationReported['data'], 'id' | 'name' | 'attachments'>;

/** The attestations of a commit that have attachments. */
export function attestedIn(commit: Commit, events: readonly DomainEvent[]): AttestationWithAttachments[] {
  return events
    .filter(({ type }) => type === 'AttestationReported')
    .map((event) => (decodeEvent(commit, event, event.data) as AttestationReported).data)
    .filter(({ attachments }) => attachments.length > 0)
    .map(({ id, name, attachments }) => ({ id, name, attachments }));
}

/** The fault of an attachment of a commit. */
type AttachmentFault = readonly [commit: Commit, fault: string];

/** The reasons why a content may be missing. */
interface DeletionReasons {
  readonly dropped: DroppedData;
  readonly erased: BegunErasures;
}

/** Checks the content of every attachment of attestations. It reads a content once for several attestations. */
export class AttachmentCheck {
  /** The number of attachments of attestations, without those that retention dropped. */
  count = 0;
  private readonly intact = new Set<string>();

  /** @param reads whether contents are read and compared with their digest; otherwise only their sizes are compared */
  constructor(
    private readonly ports: Pick<Ports, 'events' | 'blobs'>,
    private readonly deletionReasons: DeletionReasons,
    private readonly reads: boolean,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * The faults of attachments, in the order of the attestations. Content that retention dropped is not a fault. It is counted separately.
   *
   * @throws StoreUnavailable if the store of attachments does not answer
   */
  async faultsOf(
    recordedAttestations: readonly (readonly [Commit, AttestationWithAttachments])[],
  ): Promise<readonly AttachmentFault[]> {
    const files = recordedAttestations.flatMap(([commit, attestation]) =>
      attestation.attachments.map((file) => [commit, attestation, file] as const),
    );
    this.count += files.length;
    const results: AttachmentFault[] = [];
    for (let from = 0; from < files.length; from += AT_ONCE) {
      this.signal.throwIfAborted();
      const group = files.slice(from, from + AT_ONCE);
      const faults = await Promise.all(group.map(([{ org }, , attachment]) => this.faultOf(org, attachment)));
      for (const [i, [commit, attestation, attachment]] of group.entries()) {
        const fault = faults[i] ?? null;
        if (fault === null) continue;
        if ((await this.deletionReasons.dropped.take(commit, 'attachments')) || (await this.isErased(commit))) {
          this.count -= 1;
          continue;
        }
        results.push([commit, sentence(commit, attestation, attachment, fault)]);
      }
    }
    return results;
  }

  /** Whether the organization is being erased. An erasure removes streams before attachments, and a late request may commit meanwhile. */
  private async isErased({ org, stream, seq }: Commit): Promise<boolean> {
    return (await findCommit(this.ports.events, stream, seq)) === null || this.deletionReasons.erased.has(org);
  }

  private async faultOf(org: string, attachment: Attachment): Promise<string | null> {
    const key = `${attachment.sha256}/${attachment.size}/${org}`;
    if (this.intact.has(key)) return null;
    const { blobs } = this.ports;
    const fault = await (this.reads ? this.readFault(blobs, org, attachment) : sizeFault(blobs, org, attachment));
    // Lost content may be attached again meanwhile, so only intact content is cached.
    if (fault !== null) return fault;
    this.intact.add(key);
    forgetOldest(this.intact, CONTENTS);
    return null;
  }

  private async readFault(blobs: Blobs, org: string, { sha256, size }: Attachment): Promise<string | null> {
    for (let reads = 1; ; reads += 1) {
      try {
        const content = await blobs.open(org, sha256);
        if (content === null) return LOST;
        const hash = createHash('sha256');
        let bytes = 0;
        for await (const piece of content) {
          this.signal.throwIfAborted();
          hash.update(piece);
          bytes += piece.length;
        }
        const digest = hash.digest('hex');
        return digest === sha256 && bytes === size
          ? null
          : `has changed: its ${bytes} bytes have the SHA-256 ${digest}`;
      } catch (error) {
        this.signal.throwIfAborted();
        // Throws if the store is away. If it answers, this content is broken.
        await sizeFault(blobs, org, { sha256, size });
        if (reads === READS) return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      }
    }
  }
}

const LOST = 'is lost: the store of attachments does not have its content';

async function sizeFault(
  blobs: Pick<Blobs, 'stat' | 'isLost'>,
  org: string,
  { sha256, size }: Pick<Attachment, 'sha256' | 'size'>,
): Promise<string | null> {
  const info = await blobs.stat(org, sha256);
  if (info === null || (await blobs.isLost?.(org, sha256)) === true) return LOST;
  return info.size === size ? null : `has changed: it has ${info.size} bytes, not ${size}`;
}

/** Makes the text of a fault. It quotes names as JSON, because clients chose them and an operator reads the text on a terminal. */
function sentence(
  { stream }: Commit,
  { id, name }: AttestationWithAttachments,
  { filename, sha256 }: Attachment,
  fault: string,
): string {
  const trail = keyOf(stream).split('/').slice(1).join('/');
  return `the attachment ${JSON.stringify(filename)} (SHA-256 ${sha256}) of attestation ${id} (${JSON.stringify(name)}) of trail ${JSON.stringify(trail)} ${fault}`;
}
