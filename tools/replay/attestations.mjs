/** The route of each attestation type. */
const PATHS = { decision: 'system' };
const ATTESTED = [
  'trail_attestation_reported',
  'trail_attestation_for_artifact_reported',
  'artifact_attestation_reported',
];

/**
 * Returns the attestations of a trail as requests in recorded order. The record has no payloads, so each request gets one that leads to the
 * recorded verdict.
 */
export function attestationsOf({ flow, name: trail, events }) {
  return inTime(events)
    .filter(({ type }) => ATTESTED.includes(type))
    .map((event) => {
      const { attestation_type: type, is_compliant: compliant, git_commit_info: info } = event;
      const body = {
        attestation_name: event.template_reference_name,
        ...(event.target_artifact ? { target_artifacts: [event.target_artifact] } : {}),
        ...(event.artifact_fingerprint ? { artifact_fingerprint: event.artifact_fingerprint } : {}),
        ...(info ? { git_commit_info: { sha1: info.sha1, message: info.message, branch: info.branch } } : {}),
        ...payloadOf(type, compliant),
      };
      const [kind] = type.split(':');
      return { flow: flow.name, trail, at: event.timestamp, path: PATHS[kind] ?? kind, body };
    });
}

/** Names of the custom types in trails. */
export function customTypesOf(trails) {
  const types = trails.flatMap(({ events }) => events.flatMap(({ attestation_type: type }) => type ?? []));
  return [...new Set(types.filter((type) => type.startsWith('custom:')).map((type) => type.slice('custom:'.length)))];
}

/** Orders events by time. The order of events with the same time stays. */
export function inTime(events) {
  return events.toSorted((a, b) => a.timestamp - b.timestamp);
}

/** A payload for which the rule of the type gives this verdict. */
export function payloadOf(type, compliant) {
  const count = compliant ? 0 : 1;
  switch (type) {
    case 'generic':
      return { is_compliant: compliant };
    case 'junit':
      return { junit_results: [{ name: 'replayed', failures: count, errors: 0, skipped: 0, total: 1, duration: 0 }] };
    case 'jira':
      return { jira_results: [{ issue_id: 'REPLAYED-1', issue_url: '', issue_exists: compliant }] };
    case 'snyk':
      return { snyk_results: { schema_version: 1, results: [{ high_count: count, medium_count: 0, low_count: 0 }] } };
    case 'sonar':
      return { sonar_results: { qualityGate: { status: compliant ? 'OK' : 'ERROR', conditions: [] } } };
    case 'pull_request':
      return { git_provider: 'github', pull_requests: compliant ? [{ url: 'https://example.com/pull/1' }] : [] };
    case 'decision':
      return { type_name: 'decision', control: 'replayed', attestation_data: { is_compliant: compliant } };
    default:
      if (!type.startsWith('custom:')) throw new Error(`attestations of type ${type} cannot be replayed`);
      return { type_name: type.slice('custom:'.length), attestation_data: { is_compliant: compliant } };
  }
}
