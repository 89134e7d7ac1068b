import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** How far the heap may grow beyond its live objects before a collection (bytes), within these limits (percent of the live objects). */
const GROWING_BYTES = 64 * 1024 * 1024;
const GROWING_PERCENT_MIN = 50;
const GROWING_PERCENT_MAX = 100;
/** The factor by which the young generation grows if many of its objects survive. It is V8's default. */
const YOUNG_GROWTH = 2;

/**
 * Limits how far the heap grows between two full collections, by the size of the live objects. If a service gets large reports, V8 by default
 * lets the heap grow to four times its live objects, and the system then ends a service that has a memory limit. A small heap may double,
 * because all requests wait for a full collection.
 */
export function boundHeap(): void {
  limitGrowth();
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isFull)) limitGrowth();
  }).observe({ entryTypes: ['gc'] });
}

/** Lets the young generation grow again after `small-start` has limited it. Few objects of a request survive. */
export function growYoungGeneration(): void {
  setFlagsFromString(`--semi-space-growth-factor=${YOUNG_GROWTH}`);
}

/** How many percent a heap may grow between two full collections. @param live size of its live objects (bytes) */
export function growingPercent(live: number): number {
  return Math.round(Math.min(GROWING_PERCENT_MAX, Math.max(GROWING_PERCENT_MIN, (100 * GROWING_BYTES) / live)));
}

function limitGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growingPercent(getHeapStatistics().used_heap_size)}`);
}

/** The types of Node lack the detail of an entry. */
function isFull(entry: object): boolean {
  const { detail } = entry as { readonly detail: NodeGCPerformanceDetail };
  return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
