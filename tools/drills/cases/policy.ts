import { setTimeout as sleep } from 'node:timers/promises';
import { each, policyForm, range } from '../../common/api.ts';
import { fingerprintOf } from '../../common/made-up.ts';
import { type Drill, DUE, JUDGED_MS } from '../drill.ts';
import type { Outcome } from '../cases.ts';

const POLICY = 'changed';
const CLIENTS = 8;

interface Snapshot {
  readonly index: number;
  readonly compliant: boolean | null;
  readonly applied_policies: readonly { readonly version: number }[];
}

/**
 * Creates a new version of a policy that is attached to many environments with many artifacts, while clients report to others.
 *
 * @returns how many environments have exactly one new snapshot with the verdict of the new version; how long the clients' reports took
 *   before and meanwhile; and the metric of due environments
 */
export async function policyChanged(drill: Drill): Promise<Outcome> {
  const { environments, artifacts, seconds } = drill.size;
  const put = (required: boolean) => {
    const text = JSON.stringify({ _schema: 'https://example.com/v1', artifacts: { provenance: { required } } });
    return drill.insist('PUT', '/policies/{org}', policyForm(POLICY, text));
  };
  const latest = (name: string) => drill.read<Snapshot>(`/snapshots/{org}/${name}/-1`);
  const names = range(environments).map((i) => `held-${i}`);
  await put(false);
  await each(names, async (name) => {
    await drill.insist('PUT', '/environments/{org}', { name, type: 'docker' });
    await drill.insist('POST', `/environments/{org}/${name}/policies`, { policy_names: [POLICY] });
    await drill.report(name, ...range(artifacts).map((i) => fingerprintOf(`${name} ${i}`)));
  });
  await drill.settled();

  const clients = await reporting(drill);
  await sleep(seconds * 1_000);
  const before = clients.durations();
  const begun = performance.now();
  await put(true);
  for (const name of names) drill.acknowledge(POLICY, name);
  const due = await untilJudged(drill, names, latest, begun);
  const took = (performance.now() - begun) / 1_000;
  const meanwhile = clients.durations();
  await clients.stop();
  await drill.settled();

  const counts = { found: 0, doubled: 0, lost: 0 };
  await each(names, async (name) => {
    const { index, compliant, applied_policies: applied } = await latest(name);
    const right = index === 2 && compliant === false && applied[0]?.version === 2;
    counts[index > 2 ? 'doubled' : right ? 'found' : 'lost'] += 1;
  });
  const step = Math.max(1, Math.ceil((due.length - 1) / 9));
  const told = [
    `${environments} environments of ${artifacts} judged again in ${took.toFixed(1)} s`,
    `reports meanwhile p50 ${beside(meanwhile, before, 0.5)}, p99 ${beside(meanwhile, before, 0.99)}`,
    `due environments seen: ${due.filter((_, i) => i % step === 0 || i === due.length - 1).join(', ')}`,
  ].join('; ');
  return { counts, note: told };
}

/** Clients that each report new artifacts to their own environment in a loop. */
async function reporting(drill: Drill) {
  const own = range(CLIENTS).map((i) => `beside-${i}`);
  let [over, times]: [boolean, number[]] = [false, []];
  for (const name of own) await drill.insist('PUT', '/environments/{org}', { name, type: 'docker' });
  drill.begin();
  const all = own.map(async (name) => {
    for (let i = 0; !over; i += 1) {
      times.push((await drill.report(name, fingerprintOf(`${name} ${i}`))).ms);
      drill.served('reports');
    }
  });
  return {
    /** How long reports took since the last call, sorted (milliseconds). */
    durations(): readonly number[] {
      const taken = times.toSorted((a, b) => a - b);
      times = [];
      return taken;
    },
    async stop(): Promise<void> {
      over = true;
      await Promise.all(all);
    },
  };
}

/** Waits until no environment is due and each of these has been judged. Returns how many were due at each look. */
async function untilJudged(
  { stage }: Drill,
  names: readonly string[],
  latest: (name: string) => Promise<Snapshot>,
  begun: number,
): Promise<readonly number[]> {
  const left = new Set(names);
  const seen: number[] = [];
  for (;;) {
    const due = (await stage.ingestion[0]?.figure(DUE)) ?? 0;
    seen.push(due);
    for (const name of due === 0 ? left : []) {
      if ((await latest(name)).index === 1) break;
      left.delete(name);
    }
    if (left.size === 0 || performance.now() - begun > JUDGED_MS) return seen;
    await sleep(200);
  }
}

function beside(meanwhile: readonly number[], before: readonly number[], share: number): string {
  const at = (sorted: readonly number[]) => sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
  return `${at(meanwhile).toFixed(0)} ms, ${(at(meanwhile) / at(before)).toFixed(1)} times the value before`;
}
