/** Who created something, when it was created, and when it last changed. */
export interface ChangeInfo {
  /** Integer milliseconds, as is the next field. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
  /** Id of the user or service account. */
  readonly createdBy: string;
}
