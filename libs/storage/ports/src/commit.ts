/**
 * One event inside a commit. `data` is the canonical JSON text (RFC 8785) of the event's data, verbatim.
 * It is absent if the data is stored outside the commit under `digest` (`EventStore.readData`), or was dropped (`EventStore.dropData`).
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
  /** The snapshot with the full state that `snapshot` builds on. */
  readonly full: number;
  /** Digest of the running artifacts after this commit. */
  readonly runs: string;
  /** Digest of the running artifacts with their instance counts. */
  readonly runsCounted: string;
  /** What identifies an artifact in the digests. Absent in commits of earlier versions: they use fingerprint and name. */
  readonly identity?: 'fingerprint';
  /** When the snapshot that this commit made was observed, in integer milliseconds. Absent in other commits and in commits of earlier versions. */
  readonly observedAt?: number;
}

/** The unit of change of one stream: one document, inserted at once or not at all. */
export interface Commit {
  /** UUIDv7. After a write with an unknown result, the writer identifies its own commit by it. */
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
