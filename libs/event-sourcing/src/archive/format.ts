import type { BlobInfo, Commit } from '@assurance/storage-ports';

/** The first line's `archive`, which no other file has. */
export const ARCHIVE = 'assurance';
/** The version of the format. It grows with every change that older readers would refuse. */
export const VERSION = 1;

/** The maximum size of a piece of content that is not JSON (bytes). Each piece is a line of base64. */
export const PIECE_BYTES = 192 * 1024;
/** The longest line of an archive (bytes). A file with a longer line is not an archive. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;
/** The most data of one event (bytes). The reader passes it on as a whole. */
export const DATA_BYTES_MAX = 256 * 1024 * 1024;
/**
 * Data outside of commits is written before each commit that names it, unless it is among this number of recently
 * written texts.
 */
export const RECENT_DATA_MAX = 10_000;

/** A file is not an archive, or was changed. The message continues a sentence that begins with the file's name. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
}

/** The content of the first line, which describes the rest. */
export interface Header {
  readonly archive: typeof ARCHIVE;
  readonly version: number;
  /** Identifies this archive: 32 lower-case hexadecimal characters. */
  readonly id: string;
  /** When the writing began (integer milliseconds since 1970). */
  readonly at: number;
  /** The name of the only organization in the archive; null if it contains all. */
  readonly organization: string | null;
  /** Whether it holds documents with secrets. */
  readonly secrets: boolean;
}

/** The line before the pieces of data that is stored outside commits. */
export interface DataInfo {
  readonly org: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

/** The line before the pieces of a blob. */
export type OwnedBlob = BlobInfo & { readonly org: string };

/** A document that cannot be rebuilt from commits. */
export interface ArchivedDocument {
  readonly collection: string;
  readonly id: string;
  readonly doc: object;
}

/** How many entries of each kind the archive has. */
export interface Counts {
  readonly commits: number;
  readonly data: number;
  readonly blobs: number;
  readonly documents: number;
}

/** The last line; `sha256` is the digest of all bytes before it. */
export type End = Counts & { readonly sha256: string };

/** One line of an archive, except the first. */
export type Line =
  | { readonly commit: Commit }
  | { readonly data: DataInfo }
  | { readonly blob: OwnedBlob }
  | { readonly piece: string }
  | { readonly document: ArchivedDocument }
  | { readonly end: End };
