import { type CollectionShape, index, type InlineProjection } from '@assurance/contracts/events/aggregate';

/**
 * A document for each pair of notification and environment or flow. So a reader of one environment or flow reads only the notifications that list it.
 */
export interface ListeningDocument {
  /** Id of the environment, or of the flow. Ids are unique among both. */
  readonly environment: string;
  /** The notification's stream. */
  readonly notification: string;
  /** When the notification stopped listing it (integer milliseconds); `NO_END` while it lists it. */
  readonly until: number;
}

/** The end of a period that has not ended. It is later than any time. */
export const NO_END = Number.MAX_SAFE_INTEGER;

export const listening: CollectionShape<ListeningDocument> = {
  name: 'notified_environments',
  indexes: [index('by_environment', 'environment', 'until')],
};

/** Aggregate states of these schema versions have no `ListeningDocument` yet. */
export const SCHEMAS_WITHOUT_LISTENING: readonly number[] = [1];

interface Lists {
  readonly environments: readonly string[];
  readonly flows?: readonly string[];
  readonly deleted: boolean;
}

/** The documents to write after a change of a notification's environments or flows. */
export function listeningProjections(
  before: Lists | null,
  after: Lists,
  { stream, at }: { readonly stream: string; readonly at: number },
): InlineProjection[] {
  const isSame = before?.environments === after.environments && before.flows === after.flows;
  if (isSame && before.deleted === after.deleted) return [];
  const [had, has] = [listedBy(before), listedBy(after)];
  const of = (environment: string, until: number): InlineProjection => {
    const doc: ListeningDocument = { environment, notification: stream, until };
    return { collection: listening, id: `${stream}/${environment}`, doc };
  };
  return [
    ...[...had].filter((id) => !has.has(id)).map((id) => of(id, at)),
    ...[...has].filter((id) => !had.has(id)).map((id) => of(id, NO_END)),
  ];
}

function listedBy(lists: Lists | null): ReadonlySet<string> {
  return new Set(lists === null || lists.deleted ? [] : [...lists.environments, ...(lists.flows ?? [])]);
}
