// Figures of processes from /proc, which only Linux has, and rounds in which contenders take turns.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../common/api.ts';

/** Sizes and durations of a run. */
export interface How {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** The smaller and the larger one of two compared sizes: deployments, snapshots. */
  readonly rows: readonly [number, number];
  readonly kept: readonly [number, number];
  /** Megabytes of evidence. */
  readonly evidence: number;
  /** How long a service is idle before its memory is read (milliseconds). */
  readonly wait: number;
  /** Whether servers run for minutes and are not measured. */
  readonly brief: boolean;
  readonly say: (text: string) => void;
}

/** Median, minimum and maximum over the rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** What one run of a contender took: times in milliseconds. */
export interface Figure {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU of other processes that did the work (seconds). */
  readonly cpuSeconds?: number;
}

export interface Contender {
  readonly pid: number | readonly number[];
  run(): Promise<Figure>;
  /** Waits until the work after the answers is done, because its CPU counts, and may return more figures. */
  settle?(): Promise<Readonly<Record<string, number>> | void>;
}

type Figures = Readonly<Record<string, number>>;
export type Rounds = readonly Readonly<Record<string, Figures>>[];

/** A line of the table: a contender beside its limit. */
export interface Row {
  readonly name: string;
  readonly rival: string;
  readonly service: Readonly<Record<string, Spread>>;
  readonly limit: Readonly<Record<string, Spread>>;
  readonly ratio: Spread;
  /** The most memory of the process (MB). */
  readonly memory?: number;
}

export interface Goal {
  readonly goal: string;
  readonly figure: Spread;
  readonly least?: number;
  readonly most?: number;
}

export interface Result {
  readonly rows: readonly Row[];
  readonly goals: readonly Goal[];
  readonly rounds: readonly Rounds[];
}

/** Processes that use less of a core for so long (milliseconds) have nothing left to do: more than they use while idle. */
const [QUIET_SHARE, QUIET_MS] = [0.15, 1_000];
const QUIET_AT_LAST_MS = 600_000;
let ticks: number | undefined;

/** CPU of processes: all threads, user and system (seconds). Linux counts in hundredths. */
export function cpuSeconds(pids: number | readonly number[]): number {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return [pids].flat().reduce((sum, pid) => {
    // The second field is the command in parentheses, which may contain blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / (ticks ?? 100);
  }, 0);
}

/** Waits until processes have done their work after the answers. How they store their progress differs between versions. */
export async function quiet(pids: readonly number[]): Promise<void> {
  const isQuiet = async () => {
    const before = cpuSeconds(pids);
    await sleep(QUIET_MS);
    return cpuSeconds(pids) - before < (QUIET_SHARE * QUIET_MS) / 1_000;
  };
  if (!(await until(isQuiet, QUIET_AT_LAST_MS, 0))) throw new Error('the services were busy for ten minutes');
}

/** Resident memory: now, and the maximum since the start (MB). */
export function memory(pid: number): { readonly now: number; readonly most: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}

/** Bytes that all threads except the main thread have written, for the database and its WAL. */
export function bytesWritten(pid: number): number {
  const others = readdirSync(`/proc/${pid}/task`).filter((thread) => Number(thread) !== pid);
  const of = (thread: string) => /^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/io`, 'utf8'))?.[1];
  return others.reduce((sum, thread) => sum + Number(of(thread)), 0);
}

/** A quantile of a sorted list. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? NaN;

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (i: number) => sorted[i] ?? NaN;
  const half = sorted.length / 2;
  const median = sorted.length % 2 === 1 ? at(Math.floor(half)) : (at(half - 1) + at(half)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}

export const single = (value: number): Spread => spread([value]);

/** A figure of one contender beside that of another one in the same round. */
export const compared = (rounds: Rounds, name: string, other: string, figure: string): Spread =>
  spread(rounds.map((round) => (round[name]?.[figure] ?? NaN) / (round[other]?.[figure] ?? NaN)));

export const figureOf = (rounds: Rounds, name: string, figure: string): Spread =>
  spread(rounds.map((round) => round[name]?.[figure] ?? NaN));

/** A contender beside its limit. */
export function against(rounds: Rounds, name: string, rival: string): Omit<Row, 'name' | 'rival'> {
  const of = (contender: string) =>
    Object.fromEntries(['perSecond', 'p50', 'p99', 'cpu'].map((each) => [each, figureOf(rounds, contender, each)]));
  return { service: of(name), limit: of(rival), ratio: compared(rounds, name, rival, 'perSecond') };
}

/** The figure of something that was done once. */
export function onceIn(seconds: number, requests = 1): Figure {
  return { requests, perSecond: requests / seconds, p50: seconds * 1_000, p99: seconds * 1_000 };
}

/**
 * Measures contenders in turn, A B, B A, A B …, so that a slow period of the machine affects both.
 *
 * @returns the rounds, each with every contender's figures and `cpu`, in milliseconds a request
 */
export async function alternate(
  { rounds, say }: Pick<How, 'rounds' | 'say'>,
  contenders: Readonly<Record<string, Contender>>,
): Promise<Rounds> {
  const names = Object.entries(contenders);
  const measured: Record<string, Figures>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const figures: Record<string, Figures> = {};
    for (const [name, contender] of round % 2 === 0 ? names : names.toReversed()) {
      const before = cpuSeconds(contender.pid);
      const { cpuSeconds: own, ...figure } = await contender.run();
      const more = (await contender.settle?.()) ?? {};
      // At least the resolution of Linux, so that ratios are defined.
      const used = own ?? Math.max(cpuSeconds(contender.pid) - before, 1 / (ticks ?? 100));
      figures[name] = { ...figure, ...more, cpu: (used * 1000) / figure.requests };
    }
    say(names.map(([name]) => `${name} ${(figures[name]?.['perSecond'] ?? 0).toFixed(0)}/s`).join(', '));
    measured.push(figures);
  }
  return measured;
}
