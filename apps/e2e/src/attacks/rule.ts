import type { Target } from './attack';
import type { Probed } from './probe/call';
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
 * - The wait is what a caller sees, on two cores that run the attack, the service and its servers too. What the machine adds by itself
 *   shows in the second before the attack, by the worst of the same calls. It may grow meanwhile, so twice that is taken off, and an attack
 *   is carried out up to three times: what others do to the machine passes, what the attack does comes back.
 *   On the scaled engines a wait may take 3 s here: five services, MongoDB and Kafka share the two cores with what is attacked, which
 *   nobody's do. One second is what is promised where each has a core.
 * - Memory is that of each process, the service's own 150 MiB included, at settings that nobody changed.
 */
export const LIMITS = { hold: 0.1, wait: { embedded: 1_000, scaled: 3_000 }, memory: 1_024 } as const;
const MACHINE = 2;

/** The measurements of one attack. */
export interface Measured {
  readonly attack: string;
  readonly processes: readonly WatchedResult[];
  readonly probed: readonly Probed[];
}

/** What breaks the rule, a sentence each. */
export function broken({ processes, probed }: Measured, deployment: Target['deployment']): string[] {
  return [
    ...processes.flatMap(({ app, hold, memory }) => [
      ...(hold > LIMITS.hold ? [`the main thread of ${app} was held for up to ${hold * 1_000} ms`] : []),
      ...(memory > LIMITS.memory ? [`${app} took ${memory.toFixed()} MiB`] : []),
    ]),
    ...probed.flatMap(({ name, before, worst, refused }) => [
      ...(worst - MACHINE * before > LIMITS.wait[deployment]
        ? [`${name} of the other organization waited ${worst.toFixed()} ms, and ${before.toFixed()} ms before`]
        : []),
      ...Object.entries(refused).map(([word, count]) => `${name} of the other organization: ${count} times ${word}`),
    ]),
  ];
}

/** The worst figures, a line. */
export function shown({ attack, processes, probed }: Measured): string {
  const hold = Math.max(...processes.map((one) => one.hold)) * 1_000;
  const memory = Math.max(...processes.map((one) => one.memory));
  const waits = probed.map(({ name, before, p99, worst }) => {
    const [least, most, early] = [p99, worst, before].map((ms) => ms.toFixed());
    return `${name} ${least}/${most} (${early})`;
  });
  return `${attack}: hold < ${hold} ms, memory ${memory.toFixed()} MiB, p99/worst (before) ms: ${waits.join(', ')}`;
}
