/** A fault of a package. */
export interface Finding {
  /** Path of the file; null if the fault is about the whole package. */
  readonly path: string | null;
  readonly fault: string;
}

/** Called with each fault. */
export type Report = (path: string | null, fault: string) => void;
