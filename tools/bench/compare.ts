import { ANSWERS, type Kind, prepare } from './bodies.ts';
import type { Measured } from './embedded.ts';
import { startLimit } from './limits.ts';
import { load } from './load.ts';
import { alternate, type How, type Rounds } from './measure.ts';

/** Rounds that are not counted. V8 compiles hot functions in the first seconds, which is a third of the CPU then. */
const WARM = 4;

interface Comparison {
  readonly service: Measured;
  /** Processes whose CPU counts. */
  readonly pids: readonly number[];
  readonly kind: Kind;
  /** How many artifacts a report has. */
  readonly count: number;
  /** The bare server, and its arguments when the service has taken the first reports. */
  readonly rival: string;
  readonly args: () => Promise<readonly string[]>;
  /** A quantity that grows as the service works. The figure `work` is its growth for a report. */
  readonly work: () => number;
}

/** Sends reports on several connections, each with environments of its own, to the service and to a bare server in turn. */
export async function compare(
  { service, pids, kind, count, rival, args, work }: Comparison,
  how: How,
): Promise<Rounds> {
  const { connections, seconds, say } = how;
  const sender = await prepare(service, kind, count, connections, say);
  const runner = (url: string, expect: RegExp) => {
    const next = sender();
    return () => load(url, { connections, seconds, next, expect });
  };
  const run = runner(service.url, ANSWERS[kind]);
  for (let warm = 0; warm < (count > 1000 ? 1 : WARM); warm += 1) await run();
  await service.settled();
  await using limit = await startLimit(rival, ...(await args()));
  const bare = { pid: limit.pid, run: runner(limit.url, /Report processed/) };
  await bare.run();
  let begun = { work: 0, requests: 0 };
  const ofService = {
    pid: pids,
    run: async () => {
      const before = work();
      const figure = await run();
      begun = { work: before, requests: figure.requests };
      return figure;
    },
    settle: async () => {
      await service.settled();
      return { work: (work() - begun.work) / begun.requests };
    },
  };
  return await alternate(how, { service: ofService, [rival]: bare });
}
