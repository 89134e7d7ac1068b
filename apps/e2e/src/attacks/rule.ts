import type { ProbeResult } from './probe/call';
import type { StarvationLog } from './starved';
import type { WatchedResult } from './watched';

/**
 * The rule (SECURITY.md): no input holds the main thread for more than 50 ms, none takes more than its share of memory, and one
 * organization's work never waits for another's for more than a second.
 *
 * - The hold is the time for which a main thread computed without a pause: the lesser of how long no timer ran and of the processor time that
 *   the thread used meanwhile, as the process measures both itself. How long no timer ran alone would be no honest bound: on two cores that run
 *   the attack, the probe and the servers too, the system keeps a thread waiting for longer than 50 ms that has nothing to do with the attack.
 *   Processor time counts what the service did, and what garbage collection took of the thread. It is up to
 *   twice as long where two threads share a core, which a process cannot tell from its own computing: so the bound here is twice the 50 ms that a quiet machine is held to.
 * - The wait is what the attack adds to what a caller sees. Two times are taken off. One is the longest wait of the same call in the half second before the
 *   attack. The other is the time in which a main thread of the service wanted a processor and had none (`Starved`): attack, probe, five
 *   services, MongoDB and Kafka share two cores here. What a request waits for behind others, in a queue of the service or of a server, counts.
 * - Memory is that of each process, the service's own 150 MiB included, at settings that nobody changed.
 */
export const LIMITS = { hold: 0.1, wait: 1_000, memory: 1_024 } as const;

/** The measurements of one attack. */
export interface Measurements {
  readonly attack: string;
  readonly processes: readonly WatchedResult[];
  readonly probed: readonly CallWaits[];
}

/** How long requests of one call waited, in milliseconds. */
interface CallWaits extends Pick<ProbeResult, 'name' | 'before' | 'refused'> {
  readonly p99: number;
  readonly worst: number;
  /** The worst without the time in which there was no processor. */
  readonly served: number;
}

/** Violations of the rule, one sentence each. */
export function findViolations({ processes, probed }: Measurements): string[] {
  return [
    ...processes.flatMap(({ app, hold, memory }) => [
      ...(hold > LIMITS.hold ? [`the main thread of ${app} was held for up to ${hold * 1_000} ms`] : []),
      ...(memory > LIMITS.memory ? [`${app} took ${memory.toFixed()} MiB`] : []),
    ]),
    ...probed.flatMap(({ name, before, served, refused }) => [
      ...(served - before > LIMITS.wait
        ? [`${name} of the other organization waited ${served.toFixed()} ms, and ${before.toFixed()} ms before`]
        : []),
      ...Object.entries(refused).map(([word, count]) => `${name} of the other organization: ${count} times ${word}`),
    ]),
  ];
}

/** The waits of the probe, with and without the time in which it had no processor. */
export function waitsOf(probed: readonly ProbeResult[], starved: Pick<StarvationLog, 'during'>): CallWaits[] {
  return probed.map(({ during, ...probe }) => {
    const sorted = during.map(([, waited]) => waited).sort((a, b) => a - b);
    const served = Math.max(0, ...during.map(([at, waited]) => waited - starved.during(at, at + waited)));
    return { ...probe, served, p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0, worst: sorted.at(-1) ?? 0 };
  });
}

/** The worst figures, a line. */
export function reportText({ attack, processes, probed }: Measurements): string {
  const hold = Math.max(...processes.map((usage) => usage.hold)) * 1_000;
  const memory = Math.max(...processes.map((usage) => usage.memory));
  const each = probed.map(({ name, before, p99, worst, served }) => {
    const [most, all, own, early] = [p99, worst, served, before].map((ms) => ms.toFixed());
    return `${name} ${most}/${all}/${own} (${early})`;
  });
  return `${attack}: hold < ${hold} ms, memory ${memory.toFixed()} MiB, p99/worst/with a processor (before) ms: ${each.join(', ')}`;
}
