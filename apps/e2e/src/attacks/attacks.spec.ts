import { setTimeout } from 'node:timers/promises';
import { OTHER_KEY } from '../support/declared';
import { digest, item } from '../support/samples';
import { type Attack, attacks, type Target } from './attack';
import { deploy, type Deployment } from './deployment';
import { type ProbeCall, type ProbeResult, SLOTS } from './probe/call';
import { startProbe } from './probe/start';
import { findViolations, type Measurements, reportText, waitsOf } from './rule';
import { StarvationLog } from './starved';

/** `ASSURANCE_TEST_ATTACKS=full` runs the long form: every attack on both deployments. */
const FULL = process.env['ASSURANCE_TEST_ATTACKS'] === 'full';
const START_MS = 120_000;
const ATTACK_MS = 400_000;
const TRIES_MAX = 3;
/** A first run loads and compiles code, which is not measured. */
const WARM_MS = 3_000;
/** How long the probe calls before the attack. That measures the delay of the machine itself. */
const BEFORE_MS = 500;
/** How long it calls after the attack: work that an attack leaves counts too. */
const AFTER_MS = 500;

/** Requests of the other organization during an attack: reads, unchanged reports and changed reports. */
const PROBE: readonly ProbeCall[] = [
  { name: 'read', method: 'GET', path: '/environments/other' },
  {
    name: 'report',
    method: 'PUT',
    path: '/environments/other/quiet/report/docker',
    json: JSON.stringify({ artifacts: [item({ web: digest('quiet') })] }),
  },
  {
    name: 'change',
    method: 'PUT',
    path: '/environments/other/busy-$SLOT/report/docker',
    json: JSON.stringify({ artifacts: [item({ web: '$DIGEST' })] }),
  },
];

/** One process takes most attacks one after the other. What large files leave in the memory of a process counts for these alone. */
const RUNS = (['embedded', 'scaled'] as const)
  .flatMap((name) => [false, true].map((isAfresh) => ({ name, own: attacksOn(name, isAfresh) })))
  .filter(({ own }) => own.length > 0);

describe.each(RUNS)('The service on the $name engines keeps its rule while', ({ name, own }) => {
  const figures: string[] = [];
  let deployment: Deployment | undefined;

  beforeAll(async () => {
    const { target } = (deployment = await deploy(name));
    await furnish(target);
    const probe = startProbe({ url: target.url, key: OTHER_KEY, calls: PROBE });
    await setTimeout(WARM_MS);
    await probe.stop();
  }, START_MS);

  afterAll(async () => {
    process.stdout.write(`\n${name}:\n${figures.map((line) => `  ${line}\n`).join('')}`);
    await deployment?.stop();
  }, START_MS);

  it.each(own)(
    '$name',
    async (attack) => {
      if (deployment === undefined) throw new Error('the service did not start');
      for (let tries = 1; ; tries += 1) {
        const measured = await carriedOut(attack, deployment);
        figures.push(reportText(measured));
        const problems = findViolations(measured);
        if (problems.length > 0 && tries < TRIES_MAX) continue;
        expect(problems).toEqual([]);
        return;
      }
    },
    ATTACK_MS,
  );
});

function attacksOn(deployment: Target['deployment'], isAfresh: boolean): readonly Attack[] {
  return attacks().filter(
    ({ afresh = false, onServices = FULL }) => afresh === isAfresh && (onServices || deployment === 'embedded'),
  );
}

/** Prepares an attack and carries it out while the probe calls. @throws what the attack throws */
async function carriedOut(attack: Attack, { target, processes }: Deployment): Promise<Measurements> {
  const { run, probe: own = [] } = await attack.prepare(target);
  await Promise.all(processes.map((process) => process.begin()));
  const starved = new StarvationLog(processes.map(({ process }) => process));
  const probe = startProbe({ url: target.url, key: OTHER_KEY, calls: [...PROBE, ...own] });
  await setTimeout(BEFORE_MS);
  probe.attacked();
  let seen: ProbeResult | void = undefined;
  try {
    seen = await run();
    await setTimeout(AFTER_MS);
  } finally {
    await probe.stop();
    starved.stop();
  }
  return {
    attack: attack.name,
    probed: waitsOf([...(await probe.stop()), ...(seen ? [seen] : [])], starved),
    processes: await Promise.all(processes.map((measurement) => measurement.end())),
  };
}

/** Makes the environments that the probe reports to. */
async function furnish({ bystander }: Target): Promise<void> {
  for (const name of ['quiet', ...Array.from({ length: SLOTS }, (_, slot) => `busy-${slot}`)]) {
    await bystander.expect(201, 'PUT', '/environments/other', { json: { name, type: 'docker', description: '' } });
  }
}
