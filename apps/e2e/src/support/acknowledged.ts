import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import type { Caller } from './caller';
import type { Answer } from './contract';
import { artifact, digest, flowForm, item, YESTERDAY } from './samples';

const CLIENTS = 32;

/** A report that the service acknowledged. It must never be lost. */
export interface AcknowledgedReport {
  readonly environment: string;
  readonly flow: string;
  readonly snapshot: number;
  readonly fingerprint: string;
}

interface Course {
  /** Names of this run are made of it. */
  readonly run: string;
  readonly environments: readonly string[];
  /** Called before every round of a client: whether to stop. */
  readonly over: () => boolean;
  /** Whether a call without an answer is to be expected: the service was killed. */
  readonly gone: () => boolean;
  /** Called after every acknowledgement with their number. */
  readonly count?: (many: number) => void;
}

/**
 * Many clients at once make a flow each, and report one new artifact after the other, each with its provenance first.
 *
 * @returns the acknowledged reports
 */
export async function reportManyTimes(
  caller: Caller,
  { run, environments, over, gone: isGone, count }: Course,
): Promise<AcknowledgedReport[]> {
  const acknowledged: AcknowledgedReport[] = [];
  /** The answer; null if the outcome of the write is unknown. Then the write may exist at most once. */
  const sent = async (...call: Parameters<Caller['send']>): Promise<Answer | null> => {
    try {
      const answer = await caller.send(...call);
      if (![200, 201, 409, 503].includes(answer.status))
        throw new Error(`${call[1]} → ${answer.status} ${answer.text}`);
      return answer.status < 300 ? answer : null;
    } catch (fault) {
      if (isGone()) return null;
      throw fault;
    }
  };
  const client = async (client: number) => {
    const environment = environments[client % environments.length] ?? '';
    const flow = `${run}-${client}`;
    while (!over() && (await sent('PUT', '/flows/acme/template_file', { form: flowForm({ name: flow }) })) === null);
    for (let i = 0; !over(); i += 1) {
      const fingerprint = digest(`${run} ${client} ${i}`);
      const json = artifact(fingerprint, { template_reference_name: `part-${client}` });
      if ((await sent('POST', `/artifacts/acme/${flow}`, { json })) === null) continue;
      const artifacts = [item({ [`web-${client}`]: fingerprint }, YESTERDAY)];
      const answer = await sent('PUT', `/environments/acme/${environment}/report/docker`, { json: { artifacts } });
      if (answer === null) continue;
      const [, snapshot] = /^"Report processed, snapshot (\d+) created"$/.exec(answer.text) ?? [];
      if (snapshot === undefined) throw new Error(`not acknowledged: ${answer.text}`);
      acknowledged.push({ environment, flow, snapshot: Number(snapshot), fingerprint });
      count?.(acknowledged.length);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
  return acknowledged;
}

/**
 * Everything acknowledged is there by its snapshot, once, with its provenance, from the first read on; snapshots have no gaps. Reports that
 * were cut off may come into sight a moment later (a restart writes the aggregate states that are behind): then the deployment list has one for each.
 *
 * @returns how many snapshots the environments have
 */
export async function complete(
  caller: Caller,
  environments: readonly string[],
  all: readonly AcknowledgedReport[],
): Promise<number> {
  let snapshots = 0;
  expect(new Set(all.map(({ environment: name, snapshot }) => `${name}#${snapshot}`)).size).toBe(all.length);
  for (const flow of new Set(all.map((report) => report.flow))) await caller.get<FlowAnswer>(`/flows/acme/${flow}`);
  for (const name of environments) {
    const own = all.filter(({ environment: env }) => env === name);
    const first = await inSight(caller, name);
    expect(Math.max(0, ...own.map(({ snapshot }) => snapshot))).toBeLessThanOrEqual(first.snapshots);
    for (const { snapshot, fingerprint } of own) {
      const { fingerprint: result, lead_time, deployed_at = 0 } = first.deployed.get(snapshot) ?? {};
      expect([snapshot, result, lead_time]).toEqual([snapshot, fingerprint, deployed_at - (YESTERDAY - 600)]);
    }
    let now = first;
    while (now.deployed.size !== now.snapshots) now = await inSight(caller, name);
    snapshots += now.snapshots;
    // A snapshot's own answer is slower to ask for than a list: some of them, the newest among them.
    for (const { snapshot, fingerprint, flow } of own.filter((_, i) => i % 10 === 0 || i === own.length - 1)) {
      const { artifacts } = await caller.get<SnapshotAnswer>(`/snapshots/acme/${name}/${snapshot}`);
      const running = artifacts.filter(({ annotation }) => annotation.now > 0);
      expect(running.map((artifact) => [artifact.fingerprint, artifact.flow_name])).toEqual([[fingerprint, flow]]);
    }
  }
  return snapshots;
}

/** How many snapshots an environment shows, which have no gap, and what was deployed in each, no artifact twice. */
async function inSight(caller: Caller, name: string) {
  const indexes: number[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/snapshots/acme/${name}?per_page=50&page=${page}&reverse=true`;
    const list = await caller.get<SnapshotListItem[]>(path);
    indexes.push(...list.map(({ index }) => index));
    if (list.length < 50) break;
  }
  expect(indexes).toEqual(Array.from({ length: indexes.length }, (_, i) => i + 1));
  const results = await deployments(caller, name);
  expect(new Set(results.map(({ fingerprint }) => fingerprint)).size).toBe(results.length);
  const deployed = new Map(results.map((deployment) => [deployment.snapshot_index, deployment]));
  expect(deployed.size).toBe(results.length);
  return { snapshots: indexes.length, deployed };
}

async function deployments(caller: Caller, name: string) {
  const results: OrgDeploymentPage['deployments'][number][] = [];
  for (let page = 1; ; page += 1) {
    const path = `/deployments/acme?env_name=${name}&per_page=50&page=${page}&start_ts=0&end_ts=9999999999`;
    const { deployments: more, total_pages } = await caller.get<OrgDeploymentPage>(path);
    results.push(...more);
    if (page >= total_pages) return results;
  }
}
