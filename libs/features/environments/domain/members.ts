import { type CollectionShape, index, type InlineProjection } from '@assurance/contracts/events/aggregate';

/** The membership of an environment in a logical one: one document for each, removed when the membership ends. */
export interface MemberDocument {
  readonly member: string;
  readonly logical: string;
  /** The document's id. */
  readonly key: string;
}

export const logicalMembers: CollectionShape<MemberDocument> = {
  name: 'logical_members',
  indexes: [index('by_member', 'member', 'key')],
};

/** From this schema version on, aggregate states of logical environments have a document for each of their members. */
export const MEMBERS_PROJECTED_SINCE = 5;

interface EnvironmentMembers {
  readonly id: string;
  readonly includedEnvironments: readonly string[] | null;
}

/** Ids of the environments in which what is deployed to an environment runs: itself, or the members of a logical one. */
export function placesOf({ id, includedEnvironments }: EnvironmentMembers): readonly string[] {
  return includedEnvironments ?? [id];
}

/** The documents that a change of an environment's members writes. */
export function memberProjections(before: EnvironmentMembers | null, after: EnvironmentMembers): InlineProjection[] {
  if (before?.includedEnvironments === after.includedEnvironments) return [];
  const previousNames = new Set(before?.includedEnvironments ?? []);
  const has = new Set(after.includedEnvironments ?? []);
  const of = (member: string, is: boolean): InlineProjection => {
    const key = `${after.id}/${member}`;
    return { collection: logicalMembers, id: key, doc: is ? { member, logical: after.id, key } : null };
  };
  return [
    ...[...previousNames].filter((id) => !has.has(id)).map((id) => of(id, false)),
    ...[...has].filter((id) => !previousNames.has(id)).map((id) => of(id, true)),
  ];
}
