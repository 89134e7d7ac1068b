import { ROOT_SPACE } from '@assurance/contracts/access/events';
import { serviceAccount } from '@assurance/access/domain/service-account';
import { spacesOf } from '@assurance/access/lookups/spaces';
import { environment } from '@assurance/environments/domain/environment';
import { flow } from '@assurance/flows/domain/flow';
import { repo } from '@assurance/flows/domain/repo';
import { targetConfig } from '@assurance/notifications/domain/target-config';
import { policy } from '@assurance/policies/domain/policy';
import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import { type Documents, getAll } from '@assurance/storage-ports';
import type { ChangeRow } from './rows';

/**
 * The kinds of aggregates that changes refer to by id, with the states that have their names. The log stores no such name, so the name disappears
 * when the aggregate is erased.
 */
const STATES = {
  environment,
  flow,
  policy,
  repo,
  'service-account': serviceAccount,
  'target-config': targetConfig,
} as const;
type Kind = keyof typeof STATES | 'space' | 'api-key';

/** The fields of changes that have ids or lists of ids as values, with the kind of the ids. */
const KINDS_BY_FIELD: Readonly<Record<string, Kind>> = {
  config_id: 'target-config',
  environments: 'environment',
  flow_id: 'flow',
  flows: 'flow',
  included_environments: 'environment',
  parent_id: 'space',
  replaced_by: 'api-key',
  service_account_id: 'service-account',
  space_id: 'space',
};
const kindOfField = (field: string): Kind | undefined =>
  field.startsWith('policies.') ? 'policy' : KINDS_BY_FIELD[field];

interface Reference {
  readonly kind: Kind;
  readonly id: string;
}

/** The names of ids in one change. */
export interface NamesOfChange {
  /** The subject's name from the log. If the log has only its id, the present name. */
  readonly subject: string;
  /** Present names, by the ids in the values of the change; null if there is no name any more. */
  readonly values: Readonly<Record<string, string | null>>;
}

/** Finds the present names of ids in some changes of an organization, in a few reads. */
export async function namesOfChanges(
  documents: Documents,
  org: { readonly id: string; readonly name: string },
  rows: readonly ChangeRow[],
): Promise<(row: ChangeRow) => NamesOfChange> {
  const all = rows.flatMap((row) => [...referencesOf(row), ...subjectsOf(row)]);
  const names = new Map<string, string>();
  for (const [kind, { states }] of Object.entries(STATES)) {
    const ids = all.flatMap((reference) => (reference.kind === kind ? [`${kind}/${reference.id}`] : []));
    const collection: CollectionShape<{ readonly id: string; readonly name: string }> = states;
    for (const { id, name } of (await getAll(documents.collection(collection), ids)).values()) names.set(id, name);
  }
  if (all.some(({ kind }) => kind === 'space')) {
    for (const { id, name } of Object.values((await spacesOf(documents, org)).spaces)) names.set(id, name);
  }
  const holders = rows.filter(({ kind }) => kind === 'api-key').map(({ id }) => id.slice(0, id.indexOf('#')));
  for (const { name, keys } of (await getAll(documents.collection(serviceAccount.states), holders)).values()) {
    for (const { id, description } of keys) names.set(id, description === '' ? `a key of ${name}` : description);
  }
  return (row) => ({
    subject: subjectName(row, org, names),
    values: Object.fromEntries(referencesOf(row).map(({ id }) => [id, names.get(id) ?? null])),
  });
}

/** The references by id in the values before and after a change. */
function referencesOf({ before, after }: ChangeRow): readonly Reference[] {
  return [before, after].flatMap((fields) => Object.entries(fields).flatMap(([field, value]) => inField(field, value)));
}

function inField(field: string, value: unknown): readonly Reference[] {
  const kind = kindOfField(field);
  if (typeof value === 'string') return kind === undefined || value === ROOT_SPACE ? [] : [{ kind, id: value }];
  if (Array.isArray(value)) return value.flatMap((one: unknown) => inField(field, one));
  // Such as the targets of a notification.
  if (typeof value !== 'object' || value === null || field.includes('.')) return [];
  return Object.entries(value).flatMap(([name, inner]) => inField(name, inner));
}

/** The references that give a subject its name, if the log has only its id. */
function subjectsOf({ kind, name, subject }: ChangeRow): readonly Reference[] {
  if (name !== subject) return [];
  if (kind === 'repository') return [{ kind: 'repo', id: subject }];
  return kind === 'legal-hold' ? [{ kind: 'flow', id: flowOfHold(subject).flow }] : [];
}

function subjectName(
  { kind, name, subject }: ChangeRow,
  org: { readonly name: string },
  names: ReadonlyMap<string, string>,
): string {
  if (name !== subject) return name;
  if (kind === 'retention') return org.name;
  if (kind !== 'legal-hold') return names.get(subject) ?? name;
  const { flow: id, rest } = flowOfHold(subject);
  return `${names.get(id) ?? id}${rest}`;
}

/** Splits the id of a legal hold into the flow, and the slash with the trail after it. */
function flowOfHold(hold: string): { readonly flow: string; readonly rest: string } {
  const slash = hold.indexOf('/');
  return slash === -1 ? { flow: hold, rest: '' } : { flow: hold.slice(0, slash), rest: hold.slice(slash) };
}
