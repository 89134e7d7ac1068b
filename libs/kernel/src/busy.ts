/** More waits to be worked on than is taken. Nothing was done. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

/** More of one organization waits to be worked on than is taken. Nothing was done. */
export class Flooded extends Error {
  override readonly name = 'Flooded';

  /** @param seconds after which it is worth to try again, at least 1 */
  constructor(readonly seconds: number) {
    super(`too much of one organization waits; ${seconds} s are expected`);
  }
}
