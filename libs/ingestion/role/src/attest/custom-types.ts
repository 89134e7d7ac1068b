/** What the data of a custom attestation comes to under the newest version of its type. */
export type CustomVerdict =
  | { readonly kind: 'judged'; readonly version: number; readonly compliant: boolean }
  /** There is no such type in the organization. */
  | { readonly kind: 'unknown' }
  /** The data is not as the type's schema asks: what is wrong, by paths from the data's root, `''` for the root. */
  | { readonly kind: 'invalid'; readonly errors: Readonly<Record<string, string>> };

/** Judges data by custom attestation types. Injected by this class. */
export abstract class CustomTypes {
  /**
   * @param org id of the organization
   * @param type the type's name
   */
  abstract judge(org: string, type: string, data: unknown): Promise<CustomVerdict>;
}
