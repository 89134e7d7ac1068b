/** The versions of an ecosystem: how a text is read, and in which order versions are. */
export interface VersionRules<Version extends object> {
  /** Null for a text that is no version there. */
  read(text: string): Version | null;
  /**
   * Negative where `a` is older, zero where both count the same, positive where `a` is newer.
   *
   * @returns undefined if the rules give no order
   */
  compare(a: Version, b: Version): number | undefined;
}
