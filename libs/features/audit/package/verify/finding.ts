/** Something that is wrong with a package. */
export interface Finding {
  /** Of the file, null where it is about the package as a whole. */
  readonly path: string | null;
  readonly fault: string;
}

/** Told of each thing that is wrong. */
export type Report = (path: string | null, fault: string) => void;
