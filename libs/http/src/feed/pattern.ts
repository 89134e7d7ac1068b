/**
 * The pattern under which a role takes commits: `@EventPattern(COMMITS, TRANSPORT)` with the role's own transport symbol
 * (`Consumes.transport`). The data is a batch, `readonly Commit[]`; the group's position moves after the handler's promise is kept.
 */
export const COMMITS = 'assurance.events.v1';

/** A handler met an event type or version that it does not know: its consumer pauses with an alarm, nothing is parked. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
  constructor(type: string, version: number) {
    super(`${type} v${version} is not known to this consumer: it may be older than what writes it`);
  }
}
