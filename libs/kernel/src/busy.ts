/** Too much work waits already. The new work was refused, and nothing was done. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

/** Too much work of one organization waits already. The new work was refused, and nothing was done. */
export class OrganizationBusy extends Error {
  override readonly name = 'OrganizationBusy';

  /** @param seconds the time after which another try may succeed, at least 1 */
  constructor(readonly seconds: number) {
    super(`too much of one organization waits; ${seconds} s are expected`);
  }
}
