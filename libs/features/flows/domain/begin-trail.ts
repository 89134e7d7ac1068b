import type { Flow } from '@assurance/contracts/flows/documents';
import type { TrailBegun, TrailSettings, TrailUpdated } from '@assurance/contracts/flows/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import { fieldDigest, templateAfter, type Trail, TRAIL_FIELDS, type TrailField } from './trail';

/** The settings of a trail that a caller gives. Absent fields keep their values. */
export interface BeginTrail extends Partial<Omit<TrailSettings, 'commit'>> {
  readonly name: string;
  readonly commit?: TrailSettings['commit'];
}

export interface BeginTrailFacts {
  readonly flow: Pick<Flow, 'id' | 'name' | 'templateId' | 'archived'>;
  /** The id for a template of the trail itself. */
  readonly templateId: string;
}

/** Begins or updates a trail. If all values are the same, nothing changes. An archived flow refuses it. */
export function decideBeginTrail(
  state: Trail | null,
  { name, ...input }: BeginTrail,
  { flow, templateId }: BeginTrailFacts,
): Decision<TrailBegun | TrailUpdated, { readonly kind: 'flow-archived'; readonly name: string }> {
  if (flow.archived) return refused({ kind: 'flow-archived', name: flow.name });
  const ownTemplate = input.template === undefined ? {} : { templateId };
  if (state === null) {
    const { type, version, data } = trailBegunByReport(flow, name);
    return accepted({ type, version, data: { ...data, ...changedFields(input, () => true), ...ownTemplate } });
  }
  const changes = changedFields(input, (field, digest) => (state.set[field]?.digest ?? unsetDigest(field)) !== digest);
  if (Object.keys(changes).length === 0) return noChange;
  const data = { ...changes, ...(changes.template === undefined ? templateAfter(state, flow) : ownTemplate) };
  return accepted({ type: 'TrailUpdated', version: 1, data });
}

/** The first event of a trail that begins with a report instead of a request to begin it. */
export function trailBegunByReport(
  { id, name: flow, templateId }: Pick<Flow, 'id' | 'name' | 'templateId'>,
  name: string,
): TrailBegun {
  return { type: 'TrailBegun', version: 1, data: { flow: { id, name: flow }, name, templateId, commit: null } };
}

/** The given fields that `isWanted` selects. */
function changedFields(
  input: Partial<TrailSettings>,
  isWanted: (field: TrailField, digest: string) => boolean,
): Partial<TrailSettings> {
  const fields = TRAIL_FIELDS.filter((field) => {
    const value = input[field];
    return value !== undefined && isWanted(field, fieldDigest(field, value as TrailSettings[typeof field]));
  });
  return Object.fromEntries(fields.map((field) => [field, input[field]]));
}

/** Returns the digest of an unset field. A value with this digest changes nothing. */
function unsetDigest(field: TrailField): string | null {
  return field === 'description' ? fieldDigest('description', '') : null;
}
