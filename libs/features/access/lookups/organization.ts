/** An organization as queries know it. */
export interface Organization {
  readonly id: string;
  readonly name: string;
}
