import { fileURLToPath } from 'node:url';
import { setStage } from '../../drills/stage/stage.mjs';
import { startChild } from '../../setup/child.mjs';
import { against } from '../measure/against.mjs';
import { load } from '../measure/load.mjs';
import { cpuBetween, cpuSeconds } from '../measure/process.mjs';
import { alternate } from '../measure/rounds.mjs';
import { ORG } from '../measure/service.mjs';
import { spread } from '../measure/stats.mjs';
import { lagFigures, Taken } from '../measure/taken.mjs';
import { plan, prepare, WARM } from './reports.mjs';

const ARTIFACTS = 10;
const RIVALS = { changed: 'insert', unchanged: 'find' };

/**
 * Starts one of each service on MongoDB and Kafka, and a client that looks at their data.
 *
 * @param {boolean} [brief] see `setStage`
 * @returns the stage with `service` (the gateway, as `plan` and `prepare` want it), `pids` of the services, `everything` (these, and the processes of
 *   MongoDB, Kafka and audit packages), `taken`, and `close`
 */
export async function scaledStage(brief = false) {
  const stage = await setStage(1, { org: ORG, copies: 1, logLevel: 'info', brief });
  const taken = await Taken.open(stage.mongodbUrl);
  const { gateway, ingestion, projection, packages, mongodb, kafka, keys } = stage;
  const pids = [gateway, ingestion, projection].map(([one]) => one.child.pid);
  return {
    ...stage,
    taken,
    service: { url: gateway[0].url, writer: keys.writer, settled: () => taken.settled() },
    pids,
    everything: [...pids, ...[...packages, ...mongodb, kafka].map((one) => one.child.pid)],
    async close() {
      await taken.close();
      await stage.close();
    },
  };
}

/**
 * Compares reports of 10 artifacts through the gateway with a bare server that inserts, or finds, one raw document for each.
 *
 * @param {'unchanged' | 'changed'} kind
 */
export async function scaledReports(kind, { rounds, seconds, connections, brief, say }) {
  const stage = await scaledStage(brief);
  const { service, taken } = stage;
  let limit;
  try {
    const planned = plan(service.writer, kind, ARTIFACTS, connections);
    await prepare(service, planned, ARTIFACTS, say);
    const runner = (url, expect) => {
      const next = planned.sender();
      return () => load(url, { connections, seconds, least: connections, next, expect });
    };
    const run = runner(service.url, kind === 'changed' ? /snapshot \d+ created/ : /no new snapshot/);
    for (let warm = 0; warm < WARM; warm += 1) await run();
    await taken.settled();
    const rival = RIVALS[kind];
    const script = fileURLToPath(new URL('../limits/mongodb.mjs', import.meta.url));
    limit = await startChild([script, stage.mongodbUrl, rival, String(await taken.commitBytes())]);
    const raw = runner(limit.url, /Report processed/);
    await raw();
    let begun;
    const cpuOfAll = () => stage.everything.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
    const settle = async () => {
      await taken.settled();
      const everything = (cpuBetween(begun.cpu, cpuOfAll()) * 1000) / begun.requests;
      return { ...lagFigures(await taken.lags(begun.mark)), everything };
    };
    const contenders = {
      service: {
        pid: stage.pids,
        run: async () => {
          begun = { mark: await taken.mark(), cpu: cpuOfAll() };
          const figure = await run();
          begun.requests = figure.requests;
          return figure;
        },
        ...(kind === 'changed' ? { settle } : {}),
      },
      [rival]: { pid: limit.pid, run: raw },
    };
    const all = await alternate({ rounds, say }, contenders);
    const of = (figure) => spread(all.map((round) => round.service[figure]));
    return {
      name: `${kind} reports on MongoDB and Kafka, ${ARTIFACTS} artifacts`,
      kind,
      count: ARTIFACTS,
      rival: `raw ${rival}s behind one hop`,
      ...against(all, 'service', rival),
      ...(kind === 'changed' ? { lag: of('lag99'), middleLag: of('lag50'), everything: of('everything') } : {}),
      rounds: all,
    };
  } finally {
    await limit?.stop();
    await stage.close();
  }
}
