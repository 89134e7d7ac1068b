import { attestationsOf, customTypesOf } from './attestations.mjs';
import { judgementOf } from './judgement.mjs';

const EMPTY_TEMPLATE = 'version: 1\n';

/**
 * Plans the requests that bring the service to the recorded state.
 *
 * - `flows`: template text by name. A flow that appears only in a snapshot gets the empty template.
 * - `reports`: artifacts, in the order in which they were reported.
 * - `attestations`: attestations of trails, each with the recorded time; `customTypes`: names of types that must exist first.
 * - `policies` with the texts of their versions, and `tags` of flows by name, so that snapshots are judged as recorded.
 * - `running`: by fingerprint, its name and the creation time of each instance (epoch seconds), from a snapshot, or else from the first
 *   start in a trail.
 */
export function plan({ trails, snapshots }) {
  const flows = new Map();
  for (const { flow, template } of trails) {
    if (!flows.has(flow.name)) flows.set(flow.name, template?.content ?? EMPTY_TEMPLATE);
  }
  const artifacts = snapshots.flatMap((snapshot) => snapshot.artifacts).filter(({ annotation }) => annotation.now > 0);
  for (const { flow_name: name } of artifacts.flatMap((artifact) => artifact.flows)) {
    if (!flows.has(name)) flows.set(name, EMPTY_TEMPLATE);
  }
  const judgement = judgementOf(snapshots, trails);
  return {
    flows,
    policies: judgement.policies,
    tags: new Map([...judgement.tags].filter(([, tags]) => Object.keys(tags).length > 0)),
    trails: trails.map(({ flow, name }) => ({ flow: flow.name, name })),
    customTypes: customTypesOf(trails),
    attestations: [...trails.flatMap(attestationsOf), ...judgement.attestations],
    reports: inOrder(trails.flatMap(reportsOfTrail), artifacts.flatMap(reportsOfArtifact)),
    running: new Map([...trails.flatMap(startedIn), ...artifacts.map(runningAs)]),
  };
}

/** Orders reports of one fingerprint like its flows in a snapshot, and others by recorded time. */
function inOrder(fromTrails, fromSnapshots) {
  const sorted = fromTrails.toSorted((a, b) => a.at - b.at);
  const same = (a) => (b) =>
    a.flow === b.flow && a.body.trail_name === b.body.trail_name && fingerprintOf(a) === fingerprintOf(b);
  const placed = fromSnapshots.flatMap((report) => {
    const own = sorted.filter(same(report));
    return own.length > 0 ? own : [report];
  });
  return [...placed, ...sorted.filter((report) => !placed.includes(report))];
}

const fingerprintOf = ({ body }) => body.fingerprint;

function reportsOfTrail(trail) {
  const repository = trail.events.find(({ repo_info: info }) => info)?.repo_info;
  return trail.events
    .filter(({ type }) => type === 'artifact_creation_reported')
    .map((event) => ({
      flow: trail.flow.name,
      at: event.timestamp,
      body: {
        fingerprint: event.artifact_fingerprint,
        filename: event.artifact_name,
        git_commit: event.git_commit,
        git_commit_info: known(event.git_commit_info),
        commit_url: event.git_commit_info?.url ?? '',
        repo_info: repoInfo(event.repo_info ?? repository),
        trail_name: trail.name,
        template_reference_name: event.template_reference_name,
      },
    }));
}

function reportsOfArtifact(artifact) {
  return artifact.flows.map((flow) => ({
    flow: flow.flow_name,
    body: {
      fingerprint: artifact.fingerprint,
      filename: artifact.name,
      git_commit: flow.git_commit,
      git_commit_info: known(flow.git_commit_info),
      commit_url: flow.commit_url ?? '',
      repo_url: repoUrl(flow.commit_url),
      trail_name: flow.trail_name,
      template_reference_name: flow.template_reference_name,
    },
  }));
}

function startedIn({ events }) {
  const names = new Map();
  const started = new Map();
  for (const { type, artifact_fingerprint: fingerprint, artifact_name: name, timestamp } of events) {
    if (type === 'artifact_creation_reported') names.set(fingerprint, names.get(fingerprint) ?? name);
    if (type !== 'artifact_started_running') continue;
    started.set(fingerprint, Math.min(Math.floor(timestamp), started.get(fingerprint) ?? Infinity));
  }
  return [...names]
    .filter(([fingerprint]) => started.has(fingerprint))
    .map(([fingerprint, name]) => [fingerprint, { name, created: [started.get(fingerprint)] }]);
}

function runningAs({ fingerprint, name, creationTimestamp }) {
  return [fingerprint, { name, created: creationTimestamp }];
}

/** Derives the repository's URL from the URL of a commit: `<url>/commit/<sha>`, `<url>/-/commit/<sha>`, `<url>/commits/<sha>`. */
export function repoUrl(commitUrl) {
  return /^(.+?)(?:\/-)?\/commits?\/[0-9a-f]+$/.exec(commitUrl ?? '')?.[1] ?? '';
}

function repoInfo(info) {
  if (!info) return undefined;
  const { repo_id: id, name, url, provider, description } = info;
  return known({ id, name, url, provider, description });
}

/** Removes fields that are null. */
function known(fields) {
  return fields ? Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) : undefined;
}
