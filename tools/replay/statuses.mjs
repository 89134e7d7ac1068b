import { inTime } from './attestations.mjs';

/** Ids and times differ between services. */
const ATTESTATION = ['attestation_name', 'attestation_type', 'status', 'is_compliant', 'unexpected'];
const ARTIFACT = ['artifact_fingerprint', 'status', 'is_compliant', 'unexpected'];
const TRAIL = ['status', 'is_compliant'];
const EVENT = [
  'type',
  'attestation_type',
  'is_compliant',
  'template_reference_name',
  'target_artifact',
  'artifact_name',
];

/** Compares the statuses of a trail and the attestations in its events, field by field. */
export function compareStatuses(recorded, got, check) {
  const at = (what) => `trail ${recorded.flow.name}/${recorded.name.slice(0, 12)}, ${what}`;
  check(at('compliance_state'), recorded.compliance_state, got?.compliance_state);
  check(at('is_compliant'), recorded.is_compliant, got?.is_compliant);
  const { template } = recorded;
  if (template?.trail) check(at('template'), template, got?.template);
  const status = recorded.compliance_status;
  const answer = got?.compliance_status;
  for (const field of TRAIL) check(at(`compliance_status.${field}`), status[field], answer?.[field]);
  check(
    at('attestations'),
    status.attestations_statuses.map(attestation),
    answer?.attestations_statuses.map(attestation),
  );
  check(at('artifacts'), Object.keys(status.artifacts_statuses), Object.keys(answer?.artifacts_statuses ?? {}));
  for (const [name, artifact] of Object.entries(status.artifacts_statuses)) {
    const found = answer?.artifacts_statuses[name];
    check(at(`artifact ${name}`), pick(artifact, ARTIFACT), pick(found, ARTIFACT));
    const attested = artifact.attestations_statuses.map(attestation);
    check(at(`artifact ${name}, attestations`), attested, found?.attestations_statuses.map(attestation));
  }
  check(at('events of attestations'), attested(recorded.events), attested(got?.events ?? []));
}

function attestation(status) {
  return { ...pick(status, ATTESTATION), overrides: status.overridden_attestation_id !== null };
}

function attested(events) {
  const told = inTime(events).filter(({ attestation_type: type }) => type !== undefined);
  return told.map((event) => pick(event, EVENT));
}

const pick = (object, fields) => object && Object.fromEntries(fields.map((field) => [field, object[field] ?? null]));
