/** Which version a control has. Injected by this class. */
export abstract class ControlVersions {
  /**
   * The present version of a control; null where there is none of this identifier, which a decision may name all the same.
   *
   * @param org id of the organization
   */
  abstract versionOf(org: string, identifier: string): Promise<number | null>;
}
