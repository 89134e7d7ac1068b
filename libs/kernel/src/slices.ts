/* eslint-disable no-restricted-imports, no-restricted-globals -- its one effect is to give the thread up: what work comes to depends on neither */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';
import { addTo } from './maps';

/** How long work may use the thread before it lets other work run (milliseconds). */
export const SLICE_MS = 5;

/** How many items are processed in one step if each takes some microseconds. */
export const ITEMS_A_STEP = 64;

/**
 * `Array.map` in slices, for lists that callers may make long.
 *
 * @param map takes microseconds
 * @param slices the slices of the surrounding work
 */
export async function mapInSlices<T, U>(
  items: Iterable<T>,
  map: (item: T, index: number) => U,
  slices: Slices = new Slices(),
): Promise<U[]> {
  // Reads by index, because an iterator would allocate an object for each item.
  const list: readonly T[] = Array.isArray(items) ? items : [...items];
  const results: U[] = [];
  for (let i = 0; i < list.length; i += 1) {
    if (results.push(map(list[i] as T, i)) % ITEMS_A_STEP === 0 && slices.over) await slices.next();
  }
  return results;
}

/**
 * Divides asynchronous work into slices of time, such as a loop of reads that the embedded engine answers on the same
 * thread. All work that begins in one turn of the event loop shares one slice, because many short pieces block the
 * thread as long as one long piece.
 */
export class Slices {
  private began = performance.now();

  constructor() {
    turnIsOver(this.began);
  }

  /** Whether the current slice is used up. */
  get over(): boolean {
    const now = performance.now();
    return now - this.began >= SLICE_MS || turnIsOver(now);
  }

  /** Waits for the next slice. */
  async next(): Promise<void> {
    await yieldToOthers();
    this.began = performance.now();
  }

  /** Waits for the next slice if the current one is used up. */
  async pause(): Promise<void> {
    if (this.over) await this.next();
  }
}

/** A place under the limit of how much work one owner may run at the same time. */
export interface WorkSlot {
  release(): void;
  reacquire(): Promise<void> | undefined;
}

/** Work for one owner, and when it last got the thread (milliseconds). */
interface OwnedWork {
  readonly owner: string;
  readonly place: WorkSlot | null;
  began: number;
  /** How many parts of the work wait for other work. While it is above 0, the work holds no place. */
  idle: number;
}

const owned = new AsyncLocalStorage<OwnedWork>();
/** The service's own work, which has no owner. */
const SERVICE: OwnedWork = { owner: '', place: null, began: 0, idle: 0 };

/** The owner of the work that calls; empty for the service's own work. */
export function ownerOfWork(): string {
  return (owned.getStore() ?? SERVICE).owner;
}

/**
 * Does work for an owner. The slices of the work, and of all functions that it calls, wait in the queue of that owner.
 *
 * @param owner the id of an organization
 * @param place the place that the work holds until it ends
 */
export function workFor<T>(owner: string, work: () => T, place: WorkSlot | null = null): T {
  return owned.run({ owner, place, began: performance.now(), idle: 0 }, work);
}

/** Waits for other work, such as views that follow a write. Other work may use the place of this work meanwhile. */
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
 * Waits for the next slice if the current request, or the service's own work, has used the thread for a slice. Unlike
 * `Slices`, it counts all parts of that work together. Use it for many short reads.
 */
export function pause(): Promise<void> | undefined {
  const { began } = owned.getStore() ?? SERVICE;
  const now = performance.now();
  return now - began >= SLICE_MS || turnIsOver(now) ? yieldToOthers() : undefined;
}

/** Gives the thread to other waiting work first. */
export function yieldToOthers(): Promise<void> {
  const work = owned.getStore() ?? SERVICE;
  return new Promise((resolve) => {
    enqueue(work.owner, () => {
      work.began = performance.now();
      resolve();
    });
  });
}

/** When work in slices first began in this turn of the event loop (milliseconds); null before that. */
let turnBegan: number | null = null;

function beginTurn(now: number): void {
  turnBegan = now;
  setImmediate(() => (turnBegan = null));
}

/**
 * Whether all work in slices together has used a slice in this turn of the event loop. Starts the measurement in a new
 * turn.
 */
function turnIsOver(now: number): boolean {
  if (turnBegan !== null) return now - turnBegan >= SLICE_MS;
  beginTurn(now);
  return false;
}

/**
 * Waits until work of an owner may begin. It may begin at once if no other work waits and this turn of the event loop has
 * time left. Otherwise it waits in the queue of the owner.
 *
 * @param owner its name, or a function that makes it where the work has to wait
 * @returns undefined if it may begin at once
 */
export function waitForTurn(owner: string | (() => string)): Promise<void> | undefined {
  if (waiting === 0 && !turnIsOver(performance.now())) return undefined;
  return new Promise((resolve) => enqueue(typeof owner === 'string' ? owner : owner(), resolve));
}

/** How many pieces of work are resumed in one turn of the event loop at most. */
const RESUMED_MAX = 64;

/** Work that waits for the thread, by owner, oldest first. The owners are in the order of their turns. */
const queues = new Map<string, (() => void)[]>();
let waiting = 0;
/** How many pieces may still be resumed in this turn of the event loop, and when the first was resumed (milliseconds). */
let planned = 0;
let resumedFrom = 0;

function enqueue(owner: string, resume: () => void): void {
  addTo(queues, owner, resume);
  waiting += 1;
  if (planned === 0) plan();
}

/**
 * Resumes waiting work until the resumed pieces together have used one slice. Each piece is resumed in its own callback,
 * because the piece runs only after that callback has returned.
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
