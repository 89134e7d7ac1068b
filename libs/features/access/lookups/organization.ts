/** An organization in queries. */
export interface Organization {
  readonly id: string;
  readonly name: string;
}
