import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Limits } from '@assurance/event-sourcing/tokens';
import { beginningOf, endOf } from '@assurance/kernel';
import { type BlobInfo, BlobTooLarge } from '@assurance/storage-ports';
import type { CallAttachment, CallFile } from './call';
import { RefusalError } from './refusals';
import { type BodySeal, FormSeal, SEAL_BYTES } from './sealed-body';

export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  /** The content of the requested field; null if the form does not have it. */
  readonly json: Buffer | null;
  readonly files: Readonly<Record<string, CallFile>>;
  readonly attachments: readonly CallAttachment[];
}

/** Stores content while it comes, as the blobs port does. */
export type Store = (content: AsyncIterable<Uint8Array>, limit: number) => Promise<BlobInfo>;

/** The most fields, attachments and parts of one form. Parts that are neither a field nor a file are skipped. */
const FIELDS_MAX = 20;
const ATTACHMENTS_MAX = 10;
const PARTS_MAX = 40;
/** The most characters of a file's name, and how many characters of its end are kept if it is cut. */
const NAME_MAX = 255;
const NAME_END = 64;

/** The exceeded limit of a form, by the error code of the parser. */
const CODES: Readonly<Record<string, 'fields' | 'files' | 'parts'>> = {
  FST_FIELDS_LIMIT: 'fields',
  FST_FILES_LIMIT: 'files',
  FST_PARTS_LIMIT: 'parts',
};

/** A field that is read as bytes, because it may be large. */
export interface JsonField {
  readonly name: string;
  /** Counts its bytes as they arrive. @throws RefusalError */
  readonly count: (bytes: number) => void;
}

/** The stored attachments of a form, and how many bytes of attachments may follow. */
interface FormProgress {
  readonly attachments: CallAttachment[];
  bytesLeft: number;
}

/**
 * Reads the fields of a form and one whole file, all within the limit of a body. Attachments are stored while they
 * stream and are never held in memory; a separate limit applies to all of them together.
 *
 * @param name of the file's field
 * @param store null if the file is not an attachment
 * @param seal the seal of the gateway, which a forwarded form must match
 * @param json the field to read as bytes
 * @throws RefusalError
 */
export async function readForm(
  request: FastifyRequest,
  { bodyBytes: limit, attachmentBytes }: Pick<Limits, 'bodyBytes' | 'attachmentBytes'>,
  name: string,
  store: Store | null,
  seal?: BodySeal,
  json: JsonField | null = null,
): Promise<Form> {
  const { 'content-type': type, 'content-length': length } = request.headers;
  if (!request.isMultipart()) throw new RefusalError({ kind: 'media-type', type: type ?? 'none' });
  const tooLarge = () => new RefusalError({ kind: 'body-too-large', limit });
  const largest = store === null ? limit : limit + attachmentBytes;
  if (Number(length ?? 0) > largest + (seal === undefined ? 0 : SEAL_BYTES)) {
    throw new RefusalError({ kind: 'body-too-large', limit: largest, bytes: Number(length) });
  }
  const fields = new Map<string, string>();
  const files = new Map<string, CallFile>();
  const progress: FormProgress = { attachments: [], bytesLeft: attachmentBytes };
  let bytes = 0;
  let content: Buffer | null = null;
  const maxAttachments = store === null ? 1 : ATTACHMENTS_MAX;
  const limits = {
    fields: FIELDS_MAX - (json === null ? 0 : 1),
    fieldSize: limit,
    // The field that is read as bytes is a file for the parser.
    files: maxAttachments + (json === null ? 0 : 1),
    fileSize: store === null ? limit : Math.max(limit, attachmentBytes) + 1,
    parts: PARTS_MAX,
  };
  const isPartAFile = (field?: string, type?: string, filename?: string) =>
    filename !== undefined || type === 'application/octet-stream' || (json !== null && field === json.name);
  const formSeal = seal === undefined ? null : new FormSeal(seal);
  formSeal?.watch(request.raw);
  try {
    for await (const part of request.parts({ limits, isPartAFile })) {
      if (part.type !== 'file') {
        // The parser has already parsed a field of type JSON.
        const text = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
        bytes += part.valueTruncated ? limit + 1 : Buffer.byteLength(text);
        fields.set(part.fieldname, text);
      } else if (json !== null && part.fieldname === json.name) {
        const pieces: Buffer[] = [];
        for await (const piece of piecesOf(part.file, { formBroke: false })) {
          bytes += piece.length;
          if (bytes > limit) throw tooLarge();
          json.count(piece.length);
          pieces.push(piece as Buffer);
        }
        content = Buffer.concat(pieces);
      } else if (!part.filename.isWellFormed()) {
        const errors = { [part.fieldname]: 'The name of the file holds half of a surrogate pair' };
        throw new RefusalError({ kind: 'invalid', errors });
      } else if (part.fieldname !== name) {
        const errors = { [beginningOf(part.fieldname, 100)]: 'No file is taken under this name' };
        throw new RefusalError({ kind: 'invalid', errors });
      } else if (store !== null) {
        await storeFile(part, store, progress, attachmentBytes);
      } else {
        const file = await part.toBuffer();
        bytes += file.length;
        files.set(part.fieldname, { filename: part.filename, content: file });
      }
      if (bytes > limit) throw tooLarge();
    }
  } catch (error) {
    // The rest of the body is discarded, so that the client reads the answer.
    request.raw.unpipe().resume();
    if (error instanceof RefusalError) throw error;
    const { code } = error as { code?: string };
    const parts = CODES[code ?? ''];
    if (parts !== undefined)
      throw new RefusalError({
        kind: 'too-many-parts',
        parts,
        limit: { ...limits, files: maxAttachments, fields: FIELDS_MAX }[parts],
      });
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw store === null ? tooLarge() : attachmentsTooLarge(attachmentBytes);
    // An error of storage says nothing about the form.
    if (error instanceof StoreFault) throw error.cause;
    // The other errors have texts of the parser, which are not shown to callers.
    throw new RefusalError({ kind: 'invalid', errors: { body: 'Input is not a valid form' } });
  }
  formSeal?.check();
  return {
    fields: Object.fromEntries(fields),
    json: content,
    files: Object.fromEntries(files),
    attachments: progress.attachments,
  };
}

async function storeFile(
  { file, filename }: MultipartFile,
  store: Store,
  to: FormProgress,
  limit: number,
): Promise<void> {
  const fault: { formBroke: boolean } = { formBroke: false };
  try {
    const { sha256, size } = await store(piecesOf(file, fault), to.bytesLeft);
    to.bytesLeft -= size;
    // A part with an empty file name and no content is not a file: clients send it for an omitted file.
    if (filename !== '' || size > 0) to.attachments.push({ filename: shortName(filename), sha256, size });
  } catch (error) {
    if (error instanceof BlobTooLarge) throw attachmentsTooLarge(limit);
    throw fault.formBroke ? error : new StoreFault('an attachment could not be stored', { cause: error });
  }
}

/** Cuts a long file name in its middle, because its end says what kind of file it is. */
function shortName(name: string): string {
  if (name.length <= NAME_MAX) return name;
  return `${beginningOf(name, NAME_MAX - NAME_END - 1)}…${endOf(name, NAME_END)}`;
}

/**
 * Content that is not destroyed when its reader stops. Destroying it would close the connection before the answer is
 * sent.
 */
async function* piecesOf(file: Readable, fault: { formBroke: boolean }): AsyncGenerator<Uint8Array> {
  const pieces = file.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>;
  for (;;) {
    const next = await pieces.next().catch((error: unknown) => {
      fault.formBroke = true;
      throw error;
    });
    if (next.done === true) return;
    yield next.value;
  }
}

class StoreFault extends Error {}

function attachmentsTooLarge(limit: number): RefusalError {
  return new RefusalError({ kind: 'attachments-too-large', limit });
}
