import type { BlobInfo, Blobs } from '@assurance/storage-ports';

/** Content that a request stored before it was known whether the request is accepted. */
export interface Upload {
  readonly org: string;
  readonly sha256: string;
}

/** The same content, uploaded by concurrent requests of this process. */
interface PendingUpload {
  requests: number;
  /** Whether one of them added it: it was not there before. */
  added: boolean;
  /** The revision of the last put. */
  revision: number;
  /** Whether one of them may have been accepted. */
  named: boolean;
}

/**
 * Stores attachments while they stream in, and removes them when their request is refused. Content that existed before,
 * or that another process has stored again since, is kept, because something else may refer to it.
 */
export class Uploads {
  private readonly pendingUploads = new Map<string, PendingUpload>();

  constructor(
    private readonly blobs: Pick<Blobs, 'put' | 'withdraw'>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** How many uploads of running requests are remembered. */
  get size(): number {
    return this.pendingUploads.size;
  }

  /**
   * Stores content, as the blobs port does.
   *
   * @param uploads the list to which the upload is added; pass it to `settle`
   */
  async put(uploads: Upload[], org: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<BlobInfo> {
    const { sha256, size, added, revision } = await this.blobs.put(org, content, limit);
    const upload = { org, sha256 };
    const pendingUpload = this.pendingUploads.get(keyOf(upload)) ?? {
      requests: 0,
      added: false,
      revision: 0,
      named: false,
    };
    pendingUpload.requests += 1;
    pendingUpload.added ||= added;
    pendingUpload.revision = Math.max(pendingUpload.revision, revision);
    this.pendingUploads.set(keyOf(upload), pendingUpload);
    uploads.push(upload);
    return { sha256, size };
  }

  /**
   * Ends the uploads of a request.
   *
   * @param refused whether it is certain that nothing was recorded that refers to them
   */
  async settle(uploads: readonly Upload[], refused: boolean): Promise<void> {
    await Promise.all(uploads.map((upload) => this.settleOne(upload, refused)));
  }

  private async settleOne(upload: Upload, refused: boolean): Promise<void> {
    const pendingUpload = this.pendingUploads.get(keyOf(upload));
    if (pendingUpload === undefined) return;
    pendingUpload.requests -= 1;
    pendingUpload.named ||= !refused;
    if (pendingUpload.requests > 0) return;
    if (pendingUpload.added && !pendingUpload.named) {
      // An upload that starts during the removal joins the others. If it is refused too, it removes the content.
      await this.blobs.withdraw(upload.org, upload.sha256, pendingUpload.revision).catch(this.onFailure);
    }
    if (pendingUpload.requests === 0) this.pendingUploads.delete(keyOf(upload));
  }
}

function keyOf({ org, sha256 }: Upload): string {
  return `${sha256}/${org}`;
}
