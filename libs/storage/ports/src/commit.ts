/**
 * One event inside a commit. `data` is the canonical JSON text (RFC 8785) of the event's data, verbatim;
 * it is absent when the data lies outside the commit (`EventStore.readData`), always under `digest`, or was dropped (`EventStore.dropData`).
 */
export interface StoredEvent {
  readonly type: string;
  readonly version: number;
  /** SHA-256 of the data's UTF-8 bytes, 64 lower-case hexadecimal characters. */
  readonly digest: string;
  /** Size of the data in bytes. */
  readonly size: number;
  readonly data?: string;
}

/** Look-up values of commits of environments. */
export interface CommitIndex {
  /** The environment's newest snapshot after this commit (from 1; 0 while there is none). */
  readonly snapshot: number;
  /** The snapshot that keeps the full state on which `snapshot` builds. */
  readonly full: number;
  /** Digest of the running artifacts after this commit. */
  readonly runs: string;
  /** The same with instance counts. */
  readonly runsCounted: string;
  /** By what the digests tell artifacts apart. Left out of commits of earlier versions: there it is fingerprint and name. */
  readonly identity?: 'fingerprint';
  /** When the snapshot that this commit made was observed, in integer milliseconds; left out of other commits and of those of earlier versions. */
  readonly observedAt?: number;
}

/** The unit of change of one stream: one document, inserted at once or not at all. */
export interface Commit {
  /** UUIDv7; identifies the own commit after a write with an unknown result. */
  readonly id: string;
  /** Organization id, or `-` for none. */
  readonly org: string;
  /** The aggregate's key, such as `environment/<id>`: byte-exact, never changed. */
  readonly stream: string;
  /** Position in the stream, from 1 without gaps. */
  readonly seq: number;
  /** Time in integer milliseconds since 1970. */
  readonly at: number;
  /** Id of the user or service account that acted, or `bootstrap`, or `system`. */
  readonly actor: string;
  /** Id that follows one request from HTTP to the views. */
  readonly correlation: string;
  /** Hash of the previous commit of the stream (see `commitHash`), null for the first. */
  readonly prev: string | null;
  readonly index?: CommitIndex;
  readonly events: readonly StoredEvent[];
}
