/* eslint-disable no-restricted-imports, no-restricted-globals -- its one effect is to give the thread up: what work comes to depends on neither */
import { setImmediate } from 'node:timers';

/** For how long work holds its thread before it lets others run (milliseconds). */
export const SLICE_MS = 5;

/** Work that can pause between its steps. The caller decides whether it pauses: with `atOnce` or `inSlices`. */
export type Steps<T> = Generator<void, T, void>;

/** Carries out work without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Carries out work in slices of `SLICE_MS`. Work that needs no more than one slice ends without a pause, and most of it ends in its first step:
 * then there is no promise either.
 *
 * @returns the result, or a promise of it where the work had to pause
 */
export function inSlices<T>(steps: Steps<T>): T | Promise<T> {
  const slices = new Slices();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slices.over) return afterPause(steps, slices);
  }
}

async function afterPause<T>(steps: Steps<T>, slices: Slices): Promise<T> {
  for (;;) {
    if (slices.over) await slices.next();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** How many items are taken in one step where one takes some microseconds. */
export const ITEMS_A_STEP = 64;

/** `Array.map` in steps. */
export function* mapSteps<T, U>(items: Iterable<T>, map: (item: T, index: number) => U): Steps<U[]> {
  const made: U[] = [];
  // By number: over an iterator, each item of a list costs an object here.
  const list: readonly T[] = Array.isArray(items) ? items : [...items];
  for (let i = 0; i < list.length; i += 1) {
    if (made.push(map(list[i] as T, i)) % ITEMS_A_STEP === 0) yield;
  }
  return made;
}

/** The slices of one piece of asynchronous work, such as a loop of reads that the embedded engine answers on the same thread. */
export class Slices {
  private began = performance.now();

  /** Whether the present slice is used up. */
  get over(): boolean {
    return performance.now() - this.began >= SLICE_MS;
  }

  /** Waits for the next slice. */
  async next(): Promise<void> {
    await othersFirst();
    this.began = performance.now();
  }

  /** Waits for the next slice when the present one is used up. */
  async pause(): Promise<void> {
    if (this.over) await this.next();
  }
}

/** Lets all other work have the thread first. */
export function othersFirst(): Promise<void> {
  return new Promise(wait);
}

/** Work that waits for a slice. Each round of the event loop runs one slice, so that much work holds the loop no longer than one. */
const waiting: (() => void)[] = [];

function wait(resume: () => void): void {
  waiting.push(resume);
  if (waiting.length === 1) setImmediate(give);
}

function give(): void {
  waiting[0]?.();
  // It is removed from the queue last, so that a caller who waits again meanwhile queues behind the others and starts no second round.
  waiting.shift();
  if (waiting.length > 0) setImmediate(give);
}
