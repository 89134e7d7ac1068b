import { fileURLToPath } from 'node:url';
import { load } from '../measure/load.mjs';
import { alternate, summary } from '../measure/rounds.mjs';
import { startService } from '../measure/service.mjs';
import { paired } from '../measure/stats.mjs';
import { seed } from './pages.mjs';
import { plan, prepare } from './reports.mjs';

const ARTIFACTS = 10;

/** Compares the p99 of unchanged reports during a rebuild, and during an export, with that of a service that does nothing else. */
export async function beside({ rounds, seconds, connections, rebuilt, say }) {
  const service = await startService([], fileURLToPath(new URL('../measure/operated.mjs', import.meta.url)));
  try {
    await seed(service, rebuilt, say);
    const planned = plan(service.writer, 'unchanged', ARTIFACTS, connections);
    await prepare(service, planned, ARTIFACTS, say);
    const next = planned.sender();
    const run = () => load(service.url, { connections, seconds, least: connections, next, expect: /no new snapshot/ });
    await run();
    const during = (name) => async () => {
      let over = false;
      const work = (async () => {
        while (!over) {
          const answer = await fetch(`${service.tasks}/${name}`);
          if (!answer.ok) throw new Error(`${name} failed: ${await answer.text()}`);
          await answer.text();
        }
      })();
      // Reported below, after the load has ended.
      work.catch(() => undefined);
      try {
        return await run();
      } finally {
        over = true;
        await work;
      }
    };
    const contender = (run) => ({ pid: service.pid, run });
    const all = await alternate(
      { rounds, say },
      { alone: contender(run), rebuild: contender(during('rebuild')), export: contender(during('export')) },
    );
    const slower = (name) => paired(all, (round) => round[name].p99 / round.alone.p99);
    return {
      alone: summary(all, 'alone'),
      rebuild: { ...summary(all, 'rebuild'), ratio: slower('rebuild') },
      export: { ...summary(all, 'export'), ratio: slower('export') },
      rounds: all,
    };
  } finally {
    await service.stop();
  }
}
