import { first } from '../../common/api.ts';
import { setServers } from '../../common/stage.ts';
import type { Kind } from '../bodies.ts';
import { compare } from '../compare.ts';
import { Followers } from '../followers.ts';
import { against, cpuSeconds, figureOf, type Goal, type How, type Result } from '../measure.ts';

const ARTIFACTS = 10;
/** The part of what the raw engine does that is needed. */
const NEEDED = { unchanged: 0.7, changed: 0.25 };

/** Compares reports of 10 artifacts through the gateway with a bare server that inserts, or finds, one raw document for each. */
export async function scaledReports(kind: Kind, how: How): Promise<Result> {
  await using stage = await setServers(how);
  const { gateway, ingestion, projection, packages, mongodb, kafka, mongodbUrl } = stage;
  await using followers = await Followers.open(mongodbUrl);
  const pids = [gateway, ingestion, projection].map((role) => first(role).pid);
  const everything = [...pids, ...[...packages, ...mongodb, ...kafka].map(({ pid }) => pid)];
  const rival = kind === 'changed' ? 'insert' : 'find';
  const rounds = await compare(
    {
      service: { ...stage, url: first(gateway).url, pid: first(gateway).pid, settled: () => followers.settled() },
      pids,
      kind,
      rival,
      count: ARTIFACTS,
      work: () => cpuSeconds(everything) * 1_000,
      args: async () => [mongodbUrl, String(await followers.commitBytes())],
    },
    how,
  );
  const name = `${kind} reports on MongoDB and Kafka, ${ARTIFACTS} artifacts`;
  const row = { name, rival: `raw ${rival}s behind one hop`, ...against(rounds, 'service', rival) };
  const least = NEEDED[kind];
  const goals: Goal[] = [{ goal: `scaled, ${kind}: at least ${least} of ${row.rival}`, figure: row.ratio, least }];
  const goal = 'scaled, changed: at most 8 ms of CPU, MongoDB and Kafka included';
  if (kind === 'changed') goals.push({ goal, figure: figureOf(rounds, 'service', 'work'), most: 8 });
  return { rows: [row], goals, rounds: [rounds] };
}
