import { each, first, form, need, range, until } from '../../common/api.ts';
import { artifactOf, fingerprintOf, hash } from '../../common/made-up.ts';
import { caller, ORG, setServers, type Stage } from '../../common/stage.ts';
import { ANSWERS, makeEnvironments, report, reportPath } from '../bodies.ts';
import { startEmbedded } from '../embedded.ts';
import { inTurn, load, request } from '../load.ts';
import { alternate, compared, type Contender, figureOf, type Goal, type How, type Result } from '../measure.ts';

const SETTLED_MS = 1_800_000;
/** One package in so many versions, and a range that holds a quarter of them. */
const VERSIONS = 100;
const [PACKAGE, RANGE, IN_RANGE] = ['pkg:maven/org.example/logging', '>=2.10,<2.35', 25];
const AT_ONCE = 16;
const REPORTED = 10;
const SINCE = 1_700_000_000;

/** Questions for components among many bills of materials on the embedded engine, and reports of artifacts that have one. */
export async function components(how: How): Promise<Result> {
  await using service = await startEmbedded();
  return await measured('components', service, [service.pid], how);
}

/** The same on MongoDB and Kafka. */
export async function scaledComponents(how: How): Promise<Result> {
  await using stage = await setServers(how);
  const pids = [stage.gateway, stage.ingestion, stage.projection].map((role) => first(role).pid);
  return await measured('components on MongoDB and Kafka', stage, pids, how);
}

async function measured(name: string, stage: Stage, pids: readonly number[], how: How): Promise<Result> {
  // @@
  const [artifacts, listed] = how.bills;
  await seed(stage, artifacts, listed, how.say);
  const exact = `purl=${PACKAGE}@2.14.0`;
  const inRange = `purl=${PACKAGE}&range=${encodeURIComponent(RANGE)}`;
  const { url } = caller(stage);
  const question = (query: string): Contender => {
    const parts = request('GET', `/api/v2/components/${ORG}?${query}`, stage.keys.reader);
    const plan = { connections: 1, seconds: how.seconds, next: () => parts, expect: /"total_count":[1-9]/ };
    return { pid: pids, run: () => load(url, plan) };
  };
  await makeEnvironments(stage, ['with', 'without']);
  const contenders = {
    exact: question(exact),
    range: question(inRange),
    with: reports(stage, pids, 'with', 0, how),
    without: reports(stage, pids, 'without', first(withoutSbom(artifacts)), how),
  };
  for (const { run } of Object.values(contenders)) await run();
  const rounds = await alternate({ ...how, say: (text) => how.say(`${name} ${text}`) }, contenders);
  const size = `${artifacts.toLocaleString('en')} artifacts with ${listed.toLocaleString('en')} each`;
  const goals: Goal[] = [
    { goal: `${name}, ${size}: p50 by package URL below 50 ms`, figure: figureOf(rounds, 'exact', 'p50'), most: 50 },
    { goal: `${name}, ${size}: p50 by range below 300 ms`, figure: figureOf(rounds, 'range', 'p50'), most: 300 },
    {
      goal: `${name}: a report of artifacts with them takes at most 1.1 of the CPU of one without`,
      figure: compared(rounds, 'with', 'without', 'cpu'),
      most: 1.1,
    },
  ];
  return { rows: [], goals, rounds: [rounds] };
}

/** Changed reports of artifacts from this number on. */
function reports({ gateway, keys }: Stage, pids: readonly number[], name: string, from: number, how: How): Contender {
  const states = [0, 1].map((more) => report(range(REPORTED).map((i) => from + i + more)));
  const requests = states.map((body) =>
    request('PUT', `/api/v2${reportPath(name)}`, keys.writer, Buffer.from(JSON.stringify(body))),
  );
  const plan = { connections: 1, seconds: how.seconds, next: inTurn(requests), expect: ANSWERS.changed };
  return { pid: pids, run: () => load(first(gateway).url, plan) };
}

/** Artifacts whose bills of materials differ in the version of one package and in the artifact itself. */
async function seed(stage: Stage, artifacts: number, listed: number, say: How['say']): Promise<void> {
  const by = caller(stage);
  say(`seeding ${artifacts} artifacts with ${listed} components each`);
  await need(by, 'PUT', '/flows/{org}', { name: 'shop' });
  const built = async (number: number) => {
    const [fingerprint, trail] = [fingerprintOf(number), `build-${number}`];
    const artifact = { fingerprint, filename: `shop/service-${number}:1`, trail, commit: `${number}`, at: SINCE };
    await need(by, 'POST', '/artifacts/{org}/shop', artifactOf(artifact));
    return { fingerprint, trail };
  };
  // Those without differ from the others in nothing else: they come from a flow too.
  await each(withoutSbom(artifacts), built, AT_ONCE);
  const shared = range(listed - 2).map((i) => componentOf(`pkg:npm/library-${i}@1.${i % 7}.0`, `library-${i}`));
  await each(
    range(artifacts),
    async (number) => {
      const { fingerprint, trail } = await built(number);
      const own = [
        componentOf(`${PACKAGE}@2.${number % VERSIONS}.0`, 'logging'),
        componentOf(`pkg:generic/service-${number}@1.0.0`, `service-${number}`),
      ];
      const bom = `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${[...own, ...shared].join()}]}`;
      const original_fingerprint = hash('sha256', bom);
      const data = { attestation_name: 'bom', type_name: 'sbom', attestation_data: { original_fingerprint } };
      const body = form({ ...data, artifact_fingerprint: fingerprint }, { file: ['attachment_file', 'bom.json', bom] });
      await need(by, 'POST', `/attestations/{org}/shop/trail/${trail}/system`, body);
      if (number % 1_000 === 999) say(`${number + 1} artifacts`);
    },
    AT_ONCE,
  );
  const reader = caller(stage, 'reader');
  const expected = range(artifacts).filter((number) => isInRange(number % VERSIONS)).length;
  const query = `/components/{org}?purl=${PACKAGE}&range=${encodeURIComponent(RANGE)}&per_page=1`;
  const isComplete = async () => {
    const found = await need<{ readonly total_count: number; readonly without_sbom: number }>(reader, 'GET', query);
    return found.total_count === expected && found.without_sbom === REPORTED + 1;
  };
  if (!(await until(isComplete, SETTLED_MS, 200))) throw new Error('the view of components did not take all of them');
}

/** The numbers of the artifacts that have no bill of materials, behind those that have one. */
function withoutSbom(artifacts: number): readonly number[] {
  return range(REPORTED + 1).map((i) => artifacts + i);
}

function isInRange(version: number): boolean {
  return version >= 10 && version < 10 + IN_RANGE;
}

function componentOf(purl: string, name: string): string {
  return JSON.stringify({ type: 'library', name, purl, licenses: [{ license: { id: 'Apache-2.0' } }] });
}
