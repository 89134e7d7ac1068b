import { ANSWERS, type Kind, prepare } from './bodies.ts';
import type { Measured } from './embedded.ts';
import { startLimit } from './limits.ts';
import { load } from './load.ts';
import { alternate, type Contender, type Figure, type How, type Rounds } from './measure.ts';

/** Rounds that are not counted. V8 compiles hot functions in the first seconds, which is a third of the CPU then. */
const WARM = 4;

/** A service that takes reports, and what is measured of it. */
export interface Reported {
  readonly service: Measured;
  /** Processes whose CPU counts. */
  readonly pids: readonly number[];
  /** A quantity that grows as the service works. The figure `work` is its growth for a report. */
  readonly work: () => number;
}

/** What is reported. */
export interface Reports {
  readonly kind: Kind;
  /** How many artifacts a report has. */
  readonly count: number;
}

interface Rival {
  /** The bare server, and its arguments when the service has taken the first reports. */
  readonly rival: string;
  readonly args: () => Promise<readonly string[]>;
}

/** Sends reports on several connections, each with environments of its own, to the service and to a bare server in turn. */
export async function compare(
  reported: Reported,
  { rival, args, ...reports }: Reports & Rival,
  how: How,
): Promise<Rounds> {
  const { contender, sendTo } = await reporting(reported, reports, how);
  await using limit = await startLimit(rival, ...(await args()));
  const bare = { pid: limit.pid, run: sendTo(limit.url, /Report processed/) };
  await bare.run();
  return await alternate(how, { service: contender, [rival]: bare });
}

/**
 * Makes the environments of a service and has it take reports until it is warm.
 *
 * @returns the service as a contender, and what sends the same reports to another server
 */
export async function reporting(
  { service, pids, work }: Reported,
  { kind, count }: Reports,
  { connections, seconds, say }: How,
): Promise<{ readonly contender: Contender; readonly sendTo: (url: string, expect: RegExp) => () => Promise<Figure> }> {
  const sender = await prepare(service, kind, count, connections, say);
  const sendTo = (url: string, expect: RegExp) => {
    const next = sender();
    return () => load(url, { connections, seconds, next, expect });
  };
  const send = sendTo(service.url, ANSWERS[kind]);
  for (let warm = 0; warm < (count > 1000 ? 1 : WARM); warm += 1) await send();
  await service.settled();
  let begun = { work: 0, requests: 0 };
  const run = async () => {
    const before = work();
    const figure = await send();
    begun = { work: before, requests: figure.requests };
    return figure;
  };
  const settle = async () => {
    await service.settled();
    return { work: (work() - begun.work) / begun.requests };
  };
  return { contender: { pid: pids, run, settle }, sendTo };
}
