/** Who made something, and when it was made and changed last. */
export interface ChangeInfo {
  /** Integer milliseconds, as the next. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
  /** Id of the user or service account. */
  readonly createdBy: string;
}
