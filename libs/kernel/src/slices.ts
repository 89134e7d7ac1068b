/* eslint-disable no-restricted-imports, no-restricted-globals -- its one effect is to give the thread up: what work comes to depends on neither */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';

/** For how long work holds its thread before it lets others run (milliseconds). */
export const SLICE_MS = 5;

/** How many items are taken in one step where one takes some microseconds. */
export const ITEMS_A_STEP = 64;

/**
 * `Array.map` in slices, for lists of a size that callers choose.
 *
 * @param map takes microseconds
 * @param slices those of the work that this is a part of
 */
export async function mapInSlices<T, U>(
  items: Iterable<T>,
  map: (item: T, index: number) => U,
  slices: Slices = new Slices(),
): Promise<U[]> {
  // By number: over an iterator, each item of a list costs an object here.
  const list: readonly T[] = Array.isArray(items) ? items : [...items];
  const results: U[] = [];
  for (let i = 0; i < list.length; i += 1) {
    if (results.push(map(list[i] as T, i)) % ITEMS_A_STEP === 0 && slices.over) await slices.next();
  }
  return results;
}

/**
 * The slices of one piece of asynchronous work, such as a loop of reads that the embedded engine answers on the same thread. Works that begin in
 * one turn of the event loop share its slice: many short ones, one after the other, hold the thread as one long one would.
 */
export class Slices {
  private began = performance.now();

  constructor() {
    turnIsOver(this.began);
  }

  /** Whether the present slice is used up. */
  get over(): boolean {
    const now = performance.now();
    return now - this.began >= SLICE_MS || turnIsOver(now);
  }

  /** Waits for the next slice. */
  async next(): Promise<void> {
    await yieldToOthers();
    this.began = performance.now();
  }

  /** Waits for the next slice when the present one is used up. */
  async pause(): Promise<void> {
    if (this.over) await this.next();
  }
}

/** A place among the works of an owner that are done at the same time. */
export interface WorkSlot {
  release(): void;
  reacquire(): Promise<void> | undefined;
}

/** Work for one owner, and when it last got the thread (milliseconds). */
interface OwnedWork {
  readonly owner: string;
  readonly place: WorkSlot | null;
  began: number;
  /** How many of its parts wait for others and need no place. */
  idle: number;
}

const owned = new AsyncLocalStorage<OwnedWork>();
/** Work that belongs to no owner is the service's own. */
const SERVICE: OwnedWork = { owner: '', place: null, began: 0, idle: 0 };

/**
 * Does work for an owner. Its slices, and those of all that it calls, wait in the queue of that owner.
 *
 * @param owner the id of an organization
 * @param place that the work has until it ends
 */
export function workFor<T>(owner: string, work: () => T, place: WorkSlot | null = null): T {
  return owned.run({ owner, place, began: performance.now(), idle: 0 }, work);
}

/** Waits for what others do, such as the views that follow a write. The place of the work is free for that time. */
export async function yieldSlotWhile<T>(others: () => Promise<T>): Promise<T> {
  const work = owned.getStore() ?? SERVICE;
  if (work.place === null) return others();
  if (work.idle === 0) work.place.release();
  work.idle += 1;
  try {
    return await others();
  } finally {
    work.idle -= 1;
    if (work.idle === 0) await work.place.reacquire();
  }
}

/**
 * Waits for the next slice when the work of this request, or of the service itself, has had the thread for a slice. Unlike `Slices` it counts all
 * parts of that work together: for reads that are long only because there are many of them.
 */
export function pause(): Promise<void> | undefined {
  const { began } = owned.getStore() ?? SERVICE;
  const now = performance.now();
  return now - began >= SLICE_MS || turnIsOver(now) ? yieldToOthers() : undefined;
}

/** Lets all other work have the thread first. */
export function yieldToOthers(): Promise<void> {
  const work = owned.getStore() ?? SERVICE;
  return new Promise((resolve) => {
    enqueue(work.owner, () => {
      work.began = performance.now();
      resolve();
    });
  });
}

/** When this turn of the event loop first began work that takes slices (milliseconds); null before it did. */
let turnBegan: number | null = null;

function beginTurn(now: number): void {
  turnBegan = now;
  setImmediate(() => (turnBegan = null));
}

/** Whether all such work together has had this turn for a slice. Begins the turn where nothing did. */
function turnIsOver(now: number): boolean {
  if (turnBegan !== null) return now - turnBegan >= SLICE_MS;
  beginTurn(now);
  return false;
}

/**
 * Begins work for an owner: at once while this turn of the event loop has time for it and no other work waits, else in the owner's turn.
 *
 * @returns undefined where it may begin at once
 */
export function turnOf(owner: string): Promise<void> | undefined {
  if (waiting === 0 && !turnIsOver(performance.now())) return undefined;
  return new Promise((resolve) => enqueue(owner, resolve));
}

/** How many are resumed in one turn of the event loop at most. */
const RESUMED_MAX = 64;

/** Work that waits for the thread, oldest first, by its owner. The owner whose turn is next comes first. */
const queues = new Map<string, (() => void)[]>();
let waiting = 0;
/** How many may still be resumed in this turn of the event loop, and when the first of them was (milliseconds). */
let planned = 0;
let resumedFrom = 0;

function enqueue(owner: string, resume: () => void): void {
  const queue = queues.get(owner);
  if (queue === undefined) queues.set(owner, [resume]);
  else queue.push(resume);
  waiting += 1;
  if (planned === 0) plan();
}

/**
 * Resumes work until it took a slice together: one that takes long, or many that take a moment. Each has a callback of its own, because what it
 * does comes after that callback has returned.
 */
function plan(): void {
  planned = Math.min(waiting, RESUMED_MAX);
  resumedFrom = Infinity;
  for (let i = 0; i < planned; i += 1) setImmediate(give);
}

function give(): void {
  const now = performance.now();
  if (resumedFrom === Infinity) {
    resumedFrom = now;
    beginTurn(now);
  }
  if (now - resumedFrom < SLICE_MS) resumeNext();
  planned -= 1;
  if (planned === 0 && waiting > 0) plan();
}

function resumeNext(): void {
  const [next] = queues;
  if (next === undefined) return;
  const [owner, queue] = next;
  const resume = queue.shift();
  queues.delete(owner);
  if (queue.length > 0) queues.set(owner, queue);
  waiting -= 1;
  resume?.();
}
