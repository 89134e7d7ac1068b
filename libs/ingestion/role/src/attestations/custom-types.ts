/** The result of judging the data of a custom attestation by the newest version of its type. */
export type CustomVerdict =
  | { readonly kind: 'judged'; readonly version: number; readonly compliant: boolean }
  /** There is no such type in the organization. */
  | { readonly kind: 'unknown' }
  /** The data does not match the schema of the type: errors by paths from the root of the data, `''` for the root. */
  | { readonly kind: 'invalid'; readonly errors: Readonly<Record<string, string>> };

/** Judges data by custom attestation types. Injected by this class. */
export abstract class CustomTypes {
  /**
   * @param org id of the organization
   * @param type the type's name
   */
  abstract judge(org: string, type: string, data: unknown): Promise<CustomVerdict>;
}
