import { attestedCommit, commitFields, tags } from '../../http/answers/common';
import {
  anything,
  component,
  either,
  flag,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  type TypeOf,
  oneOf,
  text,
} from '../../http/shape';
import { repoMore } from './repo';

export const STATES = ['COMPLIANT', 'NON-COMPLIANT', 'INCOMPLETE'] as const;
export const trailState = oneOf(STATES);

export const attestationStatus = component('AttestationStatus', {
  attestation_name: text(),
  attestation_type: text(),
  attestation_id: nullable(text()),
  overridden_attestation_id: nullable(text()),
  status: oneOf(['MISSING', 'COMPLETE']),
  is_compliant: nullable(flag('Null while the attestation is missing.')),
  unexpected: flag('The template does not require it.'),
});
export type AttestationStatusAnswer = TypeOf<typeof attestationStatus>;

export const complianceFields = {
  status: trailState,
  is_compliant: flag(),
  attestations_statuses: list(attestationStatus),
  artifacts_statuses: map(
    object({
      artifact_fingerprint: nullable(text()),
      artifact_id: nullable(text()),
      status: oneOf([...STATES, 'MISSING']),
      is_compliant: flag(),
      attestations_statuses: list(attestationStatus),
      unexpected: flag(),
      evaluated_at: number('Epoch seconds.'),
      flow_template_id: text(),
    }),
    'By name in the template.',
  ),
  evaluated_at: number('Epoch seconds.'),
  flow_template_id: text(),
};
export const complianceStatus = component('ComplianceStatus', complianceFields);
export type ComplianceStatusAnswer = TypeOf<typeof complianceStatus>;

const declaredAttestations = list(object({ name: text(), type: text() }));
const trailTemplate = object({
  version: integer(),
  trail: object({
    attestations: declaredAttestations,
    artifacts: list(object({ name: text(), attestations: declaredAttestations })),
  }),
  content: text('The template as YAML text.'),
});

/** A commit inside a trail's events. All fields are always present. */
const eventCommit = object({
  ...commitFields,
  author_username: nullable(text()),
  parents: nullable(list(text())),
  verified: nullable(flag('Whether its signature was verified; null if unknown.')),
  signature_state: nullable(text()),
});
export type EventCommit = TypeOf<typeof eventCommit>;

const eventRepo = object({
  inner_id: text(),
  org_id: text(),
  repo_id: nullable(text('The id at the provider.')),
  name: text(),
  url: text(),
  provider: nullable(text()),
  description: nullable(text()),
  ...repoMore,
  created_at: number('Epoch seconds.'),
  last_modified_at: number('Epoch seconds.'),
});
export type EventRepo = TypeOf<typeof eventRepo>;

const eventTypes = [
  'trail_reported',
  'trail_updated',
  'artifact_creation_reported',
  'trail_attestation_reported',
  'artifact_attestation_reported',
  'trail_attestation_for_artifact_reported',
  'artifact_started_running',
  'artifact_stopped_running',
] as const;

/** One event of a trail. The fields after the first seven depend on the type. */
export const trailEvent = component(
  'TrailEvent',
  {
    type: oneOf(eventTypes),
    timestamp: number('Epoch seconds.'),
    org_id: text(),
    flow_id: text(),
    trail_id: text(),
    git_commit_info: nullable(eventCommit),
    repo_info: nullable(eventRepo),
  },
  {
    setting_user_id: text(),
    trail_data_json: map(anything(), 'The tags set in this event.'),
    changes: list(text()),
    artifact_name: text(),
    artifact_fingerprint: text(),
    artifact_id: text(),
    template_reference_name: text('The name in the template of an artifact, or the name of an attestation.'),
    git_commit: text(),
    attestation_id: text(),
    attestation_type: text(),
    is_compliant: flag(),
    target_artifact: text('Name in the template of the attested artifact.'),
    environment_id: text(),
    environment_name: text(),
    snapshot_index: integer(),
    replica_number: integer('The number of instances.'),
  },
);
export type TrailEventAnswer = TypeOf<typeof trailEvent>;

export const trailAnswer = component('Trail', {
  name: text(),
  description: text(),
  flow: object({ name: text(), tags }),
  git_commit_info: nullable(attestedCommit),
  origin_url: nullable(text()),
  user_data: anything('As it was set; `{}` if it was never set.'),
  repo_ids: list(text()),
  external_urls: nullable(map(object({ href: text() }, { fingerprint: text() }))),
  created_at: number('Epoch seconds.'),
  last_modified_at: number('Epoch seconds.'),
  created_by: text('Name of a user or a service account.'),
  html_url: text(),
  compliance_state: trailState,
  is_compliant: flag(),
  compliance_status: complianceStatus,
  template: trailTemplate,
  events: list(
    trailEvent,
    'Oldest first: the beginning and the newest 1,000 events; of events of environments the newest 100.',
  ),
});
export type TrailAnswer = TypeOf<typeof trailAnswer>;

export const trailListItem = component('TrailListItem', {
  name: text(),
  description: text(),
  flow_name: text(),
  compliance_state: trailState,
  is_compliant: flag(),
  created_at: number('Epoch seconds.'),
  last_modified_at: number('Epoch seconds.'),
  html_url: text(),
  flow: object({ name: text(), tags }),
  created_by: text('Name of a user or a service account.'),
  repo_ids: list(text()),
  template: trailTemplate,
  compliance_status: complianceStatus,
});
export type TrailListItem = TypeOf<typeof trailListItem>;

/** A page with `data` and `pagination`: the second shape of pages in the API. */
export const trailPage = component('TrailPage', {
  data: list(trailListItem),
  pagination: object({
    page: integer(),
    per_page: integer(),
    page_count: integer('How many pages there are.'),
    total: integer(),
  }),
});
export type TrailPage = TypeOf<typeof trailPage>;
export const flowTrails = either(list(trailListItem), trailPage);
