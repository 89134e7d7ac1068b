/**
 * The pattern under which a role takes commits: `@EventPattern(COMMITS, TRANSPORT)` with the role's own transport symbol
 * (`Consumes.transport`). The data is a batch, `readonly Commit[]`; the group's position moves after the handler's promise is kept.
 */
export const COMMITS = 'assurance.events.v1';
