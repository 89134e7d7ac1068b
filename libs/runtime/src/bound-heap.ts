import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** How much more than the live objects the heap may hold before it is collected (bytes), within these limits (percent of the live objects). */
const GROWING_BYTES = 64 * 1024 * 1024;
const GROWING_PERCENT_MIN = 50;
const GROWING_PERCENT_MAX = 100;
/** By what factor the young generation grows when many of its objects survive: V8's default. */
const YOUNG_GROWTH = 2;

/**
 * Limits how far the heap grows between two full collections, by the size of the live objects. By default V8 lets the heap of a service that gets large
 * reports grow to four times its live objects, and a service with a memory limit is then ended. A small heap may double: a full collection costs
 * as much as its live objects, and everyone waits for it.
 */
export function boundHeap(): void {
  bound();
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isFull)) bound();
  }).observe({ entryTypes: ['gc'] });
}

/** Lets the young generation grow again, which `small-start` has limited. Few objects of a request survive. */
export function growYoungGeneration(): void {
  setFlagsFromString(`--semi-space-growth-factor=${YOUNG_GROWTH}`);
}

/** How many percent a heap may grow between two full collections. @param live size of its live objects (bytes) */
export function growingPercent(live: number): number {
  return Math.round(Math.min(GROWING_PERCENT_MAX, Math.max(GROWING_PERCENT_MIN, (100 * GROWING_BYTES) / live)));
}

function bound(): void {
  setFlagsFromString(`--heap-growing-percent=${growingPercent(getHeapStatistics().used_heap_size)}`);
}

/** The types of Node lack the detail of an entry. */
function isFull(entry: object): boolean {
  const { detail } = entry as { readonly detail: NodeGCPerformanceDetail };
  return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
