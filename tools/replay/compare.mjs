import { isDeepStrictEqual } from 'node:util';
import { compareJudgement } from './judgement.mjs';
import { repoUrl } from './plan.mjs';
import { compareStatuses } from './statuses.mjs';

const COMMIT = ['sha1', 'message', 'author', 'branch', 'timestamp', 'url'];
const REPOSITORY = ['repo_id', 'name', 'url', 'provider', 'description'];

/**
 * Compares the record with the answers of the service.
 *
 * @returns for each comparison: what was compared, both values, and whether they are equal
 */
export function compare({ trails, snapshots }, { running }, seen) {
  const results = [];
  const check = (what, recorded, got) => results.push({ what, recorded, got, same: isDeepStrictEqual(recorded, got) });
  for (const { flow, template } of trails) {
    if (template?.content) check(`flow ${flow.name}, template`, template.content, seen.flows.get(flow.name)?.template);
  }
  for (const trail of trails) compareStatuses(trail, seen.trails.get(`${trail.flow.name}/${trail.name}`), check);
  const own = snapshots.flatMap(({ artifacts }) => artifacts).filter(({ annotation }) => annotation.now > 0);
  for (const snapshot of snapshots) compareJudgement(snapshot, seen.snapshot, check);
  for (const artifact of own) compareArtifact(artifact, seen, check);
  const inSnapshot = new Set(own.map(({ fingerprint }) => fingerprint));
  for (const trail of trails) {
    for (const report of firstReports(trail)) {
      const { artifact_fingerprint: fingerprint } = report;
      if (running.has(fingerprint) && !inSnapshot.has(fingerprint)) {
        compareTrail(trail, report, running.get(fingerprint).created[0], seen, check);
      }
    }
  }
  return results;
}

/** Compares commit and lead time of an artifact of a recorded snapshot, for all its flows. */
function compareArtifact(recorded, seen, check) {
  const { fingerprint, commit_lead_time: lead } = recorded;
  const got = inSnapshot(seen, fingerprint);
  const at = titled(fingerprint);
  check(at('snapshot, creationTimestamp'), sorted(recorded.creationTimestamp), sorted(got?.creationTimestamp));
  for (const field of ['flow_name', 'git_commit', 'commit_url', 'commit_lead_time']) {
    check(at(`snapshot, ${field}`), recorded[field], got?.[field]);
  }
  for (const flow of recorded.flows) {
    const answer = inFlow(got, flow.flow_name, flow.trail_name);
    for (const field of ['template_reference_name', 'git_commit', 'commit_url', 'commit_lead_time']) {
      check(at(`snapshot, flow ${flow.flow_name}, ${field}`), flow[field], answer?.[field]);
    }
    check(
      at(`snapshot, flow ${flow.flow_name}, commit`),
      commit(flow.git_commit_info),
      commit(answer?.git_commit_info),
    );
  }
  const first = recorded.flows[0];
  if (first === undefined) return;
  const deployed = { deployed_at: Math.min(...recorded.creationTimestamp), lead_time: lead };
  compareLists(fingerprint, deployed, { url: repoUrl(first.commit_url) }, first.git_commit_info, seen, check);
}

/** Compares commit and repository of the first report of an artifact of a recorded trail. */
function compareTrail(trail, report, deployed_at, seen, check) {
  const { artifact_fingerprint: fingerprint, git_commit_info: info } = report;
  const got = inSnapshot(seen, fingerprint);
  const at = titled(fingerprint);
  const answer = inFlow(got, trail.flow.name, trail.name);
  check(at('snapshot, git_commit'), report.git_commit, got?.git_commit);
  check(at('snapshot, creationTimestamp'), [deployed_at], got?.creationTimestamp);
  check(at(`snapshot, flow ${trail.flow.name}, commit`), commit(info), commit(answer?.git_commit_info));
  const repository = report.repo_info ?? trail.events.find(({ repo_info: any }) => any)?.repo_info;
  const deployed = { deployed_at, lead_time: deployed_at - info.timestamp };
  compareLists(fingerprint, deployed, pick(repository, REPOSITORY), info, seen, check);
}

/** Compares both deployment lists: the lead time in the organization's, the commit in that of the recorded repository. */
function compareLists(fingerprint, deployed, repository, info, seen, check) {
  const at = titled(fingerprint);
  const item = seen.deployments.find((each) => each.fingerprint === fingerprint);
  check(at('organization list, deployed_at and lead_time'), deployed, pick(item, Object.keys(deployed)));
  const holders = seen.repositories.filter(({ deployments }) => lists(deployments, fingerprint));
  check(
    at('repository that lists it'),
    [repository],
    holders.map((each) => pick(each, Object.keys(repository))),
  );
  const [holder] = holders;
  const listed = holder?.deployments.find((each) => each.fingerprint === fingerprint);
  check(at('repository list, commit'), commit(info), commit(listed?.commit));
  check(at('repository list, deployed_at'), deployed.deployed_at, listed?.deployed_at);
  check(at('organization list by repository name'), true, holder !== undefined && lists(holder.named, fingerprint));
}

/** Returns the first report of each artifact of a trail, by recorded time. */
function firstReports({ events }) {
  const first = new Map();
  for (const event of events.toSorted((a, b) => a.timestamp - b.timestamp)) {
    const { type, artifact_fingerprint: fingerprint } = event;
    if (type === 'artifact_creation_reported' && !first.has(fingerprint)) first.set(fingerprint, event);
  }
  return [...first.values()];
}

/** The order of instances has no meaning. */
const sorted = (times) => times?.toSorted((a, b) => a - b);
const titled = (fingerprint) => (what) => `${fingerprint.slice(0, 12)}: ${what}`;
const inSnapshot = ({ snapshot }, fingerprint) => snapshot.artifacts.find((each) => each.fingerprint === fingerprint);
const inFlow = (artifact, flow, trail) =>
  artifact?.flows.find(({ flow_name, trail_name }) => flow_name === flow && trail_name === trail);
const lists = (deployments, fingerprint) => deployments.some((each) => each.fingerprint === fingerprint);
const commit = (info) => pick(info, COMMIT);
const pick = (object, fields) => object && Object.fromEntries(fields.map((field) => [field, object[field] ?? null]));
