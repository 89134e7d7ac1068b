import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs from 'kafkajs';
import { each, insist } from '../load/ask.mjs';
import { audit } from '../load/audit.mjs';
import { fingerprintOf, makeEnvironment, makeFlow, reportNext, reportOf } from '../load/clients.mjs';

const { AssignerProtocol, Kafka, logLevel } = kafkajs;

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
export async function workDivided({ stage, ledger, environments, seconds }) {
  const onTry = (answer) => ledger.answered(answer);
  const expect = (good, text) => void (good || ledger.wrong.push(text));
  const names = Array.from({ length: environments }, (_, i) => `divided-${i}`);
  for (const name of names) ledger.acknowledged.set(name, []);
  await each(names, async (name) => {
    await makeFlow(stage, name, onTry);
    await makeEnvironment(stage, name, onTry);
  });

  const before = await reportsOf(stage.ingestion);
  const four = await reporting(stage, ledger, names, seconds, onTry);
  const answered = (await reportsOf(stage.ingestion)).map((count, i) => count - before[i]);
  expect(
    answered.every((count) => count > 0),
    `an ingestion took no reports: ${answered.join(', ')}`,
  );
  const partitions = await partitionsOf(stage, 'projection');
  expect(
    partitions.length === stage.projection.length && partitions.every((count) => count > 0),
    `the partitions of the projections are ${partitions.join(', ')}`,
  );

  await sameInstance(stage, expect, onTry);
  // They stay away: no other drill uses this stage.
  await Promise.all([...stage.ingestion.splice(1), ...stage.projection.splice(1)].map((one) => one.kill()));
  await sleep(PASSED_OVER_MS);
  const one = await reporting(stage, ledger, names, seconds, onTry);
  const counts = await audit(stage, ledger);
  const told = [
    `reports of each ingestion ${answered.join(', ')}`,
    `partitions of each projection ${partitions.join(', ')}`,
    `${four.toFixed(0)} reports/s with four of each, ${one.toFixed(0)} with one`,
  ].join('; ');
  return { ...counts, told };
}

/** Sends reports to each environment, one after another. Returns how many were acknowledged in a second. */
async function reporting(stage, ledger, names, seconds, onTry) {
  const [begun, count] = [performance.now(), ledger.count];
  const until = begun + seconds * 1_000;
  ledger.last.reports = begun;
  await each(names, async (name) => {
    // Clients report to the environments in turn until the time is over, and at least once to each.
    const share = (until - begun) / Math.ceil(names.length / 8);
    const end = Math.min(performance.now() + share, until);
    do await reportNext(stage, ledger, name, ledger.acknowledged.get(name).length, onTry);
    while (performance.now() < end);
  });
  return ((ledger.count - count) / (performance.now() - begun)) * 1_000;
}

/** Checks that all gateways send an environment's reports to one instance, to another one while that is away, and to the first one afterwards. */
async function sameInstance(stage, expect, onTry) {
  const name = 'divided-watched';
  await makeEnvironment(stage, name, onTry);
  const path = `/environments/ORG/${name}/report/docker`;
  const body = reportOf(fingerprintOf(name));
  const takers = async (instances) => {
    const before = await reportsOf(instances);
    for (let i = 0; i < LOOKED; i += 1) await insist(stage, 'PUT', path, body, onTry);
    const after = await reportsOf(instances);
    return instances.filter((_, i) => after[i] > before[i]);
  };
  const first = await takers(stage.ingestion);
  expect(first.length === 1, `${first.length} ingestions accepted reports of one environment`);
  const [owner] = first;
  await owner.kill();
  const others = await takers(stage.ingestion.filter((one) => one !== owner));
  expect(others.length === 1, `${others.length} ingestions accepted them instead of the killed one`);
  await owner.start();
  await sleep(PASSED_OVER_MS);
  const again = await takers(stage.ingestion);
  expect(
    again.length === 1 && again[0] === owner,
    'the reports did not go back to the ingestion that was started again',
  );
}

/** How many reports each instance has answered since its start. */
function reportsOf(services) {
  return Promise.all(
    services.map(async ({ operations }) => {
      const text = await (await fetch(`${operations}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith(ROUTE));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    }),
  );
}

/** How many partitions each member of a consumer group has. */
async function partitionsOf({ kafka }, group) {
  const client = new Kafka({ brokers: [kafka.engine.url(kafka.ports)], logLevel: logLevel.NOTHING });
  const admin = client.admin();
  await admin.connect();
  try {
    const { groups } = await admin.listGroups();
    const { groupId = group } = groups.find(({ groupId: id }) => id.endsWith(group)) ?? {};
    const described = await admin.describeGroups([groupId]);
    return described.groups[0].members.map(({ memberAssignment }) => countOf(memberAssignment));
  } finally {
    await admin.disconnect();
  }
}

function countOf(assignment) {
  const { assignment: topics } = AssignerProtocol.MemberAssignment.decode(assignment) ?? { assignment: {} };
  return Object.values(topics).reduce((sum, partitions) => sum + partitions.length, 0);
}
