import type { Cost } from './costs.ts';

export interface Load {
  /** A second. */
  readonly reports: number;
  readonly environments: number;
  /** The part of reports that change something. */
  readonly changed: number;
}

/** Seconds of reports that are simulated. */
const SECONDS = 5;
/** More reports than this are not simulated: the time is cut. */
const REPORTS_MAX = 1_500_000;

/**
 * Lets every environment report at its own moment of each interval, and the reports of each wait for one another at the instance that the
 * environment falls to. Instances are chosen at random, as rendezvous hashing does.
 *
 * @param servers how many instances share the environments
 * @param cores what each of them has
 * @returns how busy the busiest instance is (1: always), and how long reports wait and are worked on there (milliseconds)
 */
export function simulate(
  { environments, reports, changed }: Load,
  servers: number,
  cores: number,
  cost: Cost,
): { readonly busiest: number; readonly p50: number; readonly p99: number } {
  const random = randomOf(1);
  const seconds = Math.min(SECONDS, REPORTS_MAX / reports);
  const interval = environments / reports;
  const rounds = Math.max(1, Math.round(seconds / interval));
  const span = rounds * interval;
  const arrivals = Array.from({ length: servers }, (): number[] => []);
  // Where an environment reports rarely, not all of them do within the time.
  const share = Math.min(1, seconds / interval);
  const length = share < 1 ? seconds : span;
  for (let i = 0; i < environments; i += 1) {
    const queue = arrivals[Math.floor(random() * servers)];
    if (random() >= share) continue;
    const phase = random() * (share < 1 ? seconds : interval);
    for (let round = 0; round < (share < 1 ? 1 : rounds); round += 1) queue?.push(phase + round * interval);
  }
  const answers = arrivals.map((times) =>
    answersOf(
      times.sort((a, b) => a - b),
      cores,
      cost,
      changed,
      random,
    ),
  );
  const busiest = answers.reduce((most, one) => (one.work > most.work ? one : most));
  const sorted = busiest.took.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { busiest: busiest.work / (length * 1_000 * cores), p50: at(0.5), p99: at(0.99) };
}

/** Each report is taken by the core that is free first. */
function answersOf(times: readonly number[], cores: number, cost: Cost, changed: number, random: () => number) {
  const free = new Float64Array(cores);
  const took: number[] = [];
  const at = (core: number) => free[core] ?? 0;
  let work = 0;
  for (const time of times) {
    const now = time * 1_000;
    const need = random() < changed ? cost.changed : cost.unchanged;
    let first = 0;
    for (let core = 1; core < cores; core += 1) if (at(core) < at(first)) first = core;
    free[first] = Math.max(at(first), now) + need;
    took.push(at(first) - now);
    work += need;
  }
  return { work, took };
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
