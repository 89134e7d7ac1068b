import { setTimeout as sleep } from 'node:timers/promises';
import { each, range } from '../../common/api.ts';
import { fingerprintOf } from '../../common/made-up.ts';
import type { Instance } from '../../common/instance.ts';
import { audit } from '../audit.ts';
import type { Outcome } from '../cases.ts';
import type { Drill } from '../drill.ts';
import { partitionsOf } from '../kafka.ts';

/** How many requests for one environment show which instance answers. */
const LOOKED = 20;
/** How long after a failure a gateway tries an instance again (milliseconds). */
const PASSED_OVER_MS = 1_100;
const ROUTE = 'assurance_http_request_duration_seconds_count{route="reportDocker"';

/**
 * Many clients report to many environments through four ingestions and four projections. The drill checks which instance answered, kills the ingestion
 * of one environment, and then measures the same load with one ingestion and one projection.
 *
 * @returns the audit of all reports, and how the work was divided
 */
export async function workDivided(drill: Drill): Promise<Outcome> {
  const { stage, size } = drill;
  const names = range(size.environments).map((i) => `divided-${i}`);
  await drill.make(names);
  const before = await reportsOf(stage.ingestion);
  const four = await reporting(drill, names);
  const answered = (await reportsOf(stage.ingestion)).map((count, i) => count - (before[i] ?? 0));
  const all = answered.every((count) => count > 0);
  drill.expect(all, `an ingestion took no reports: ${answered.join(', ')}`);
  const partitions = await partitionsOf(stage, 'projection');
  const shared = partitions.length === stage.projection.length && partitions.every((count) => count > 0);
  drill.expect(shared, `the partitions of the projections are ${partitions.join(', ')}`);

  await sameInstance(drill);
  // They stay away: no other drill uses this stage.
  await Promise.all([...stage.ingestion.splice(1), ...stage.projection.splice(1)].map((one) => one.kill()));
  await sleep(PASSED_OVER_MS);
  const one = await reporting(drill, names);
  const told = [
    `reports of each ingestion ${answered.join(', ')}`,
    `partitions of each projection ${partitions.join(', ')}`,
    `${four.toFixed(0)} reports/s with four of each, ${one.toFixed(0)} with one`,
  ].join('; ');
  return { counts: await audit(drill), note: told };
}

/** Sends reports to each environment, one after another. Returns how many were acknowledged in a second. */
async function reporting(drill: Drill, names: readonly string[]): Promise<number> {
  const [begun, count] = [performance.now(), drill.count];
  const until = begun + drill.size.seconds * 1_000;
  drill.begin();
  await each(names, async (name) => {
    // Clients report to the environments in turn until the time is over, and at least once to each.
    const share = (until - begun) / Math.ceil(names.length / 8);
    const end = Math.min(performance.now() + share, until);
    do await drill.reportNext(name);
    while (performance.now() < end);
  });
  return ((drill.count - count) / (performance.now() - begun)) * 1_000;
}

/** Checks that all gateways send an environment's reports to one instance, to another one while that is away, and to the first one afterwards. */
async function sameInstance(drill: Drill): Promise<void> {
  const name = 'divided-watched';
  await drill.insist('PUT', '/environments/{org}', { name, type: 'docker' });
  const takers = async (instances: readonly Instance[]): Promise<readonly Instance[]> => {
    const before = await reportsOf(instances);
    for (let i = 0; i < LOOKED; i += 1) await drill.report(name, fingerprintOf(name));
    const after = await reportsOf(instances);
    return instances.filter((_, i) => (after[i] ?? 0) > (before[i] ?? 0));
  };
  const alone = await takers(drill.stage.ingestion);
  const [owner] = alone;
  if (owner === undefined || alone.length > 1) {
    drill.wrong.push(`${alone.length} ingestions took the reports of one environment`);
    return;
  }
  await owner.kill();
  const others = drill.stage.ingestion.filter((one) => one !== owner);
  const meanwhile = (await takers(others)).length;
  drill.expect(meanwhile === 1, `${meanwhile} of the other ingestions took its reports`);
  await owner.start();
  await sleep(PASSED_OVER_MS);
  const again = await takers(drill.stage.ingestion);
  const back = again.length === 1 && again[0] === owner;
  drill.expect(back, 'the reports did not go back to the ingestion that was started again');
}

/** How many reports each instance has answered since its start. */
function reportsOf(services: readonly Instance[]): Promise<readonly number[]> {
  return Promise.all(
    services.map(async (service) => {
      const lines = await service.metrics(ROUTE);
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    }),
  );
}
