import type { SnapshotChange } from '@assurance/contracts-events';

/** A change in words: `1 instance started running (from 0 to 1)`, `3 instances changed`. */
export function describeChange({ change, was, now }: Pick<SnapshotChange, 'change' | 'was' | 'now'>): string {
  switch (change) {
    case 'started':
    case 'exited':
    case 'scaled':
      return describeCount(was, now);
    case 'changed':
    case 'updated-provenance':
      return `${instances(now)} changed`;
  }
}

/** How many more or fewer run: `2 instances stopped running (from 3 to 1)`. */
export function describeCount(was: number, now: number): string {
  return `${instances(Math.abs(now - was))} ${now > was ? 'started' : 'stopped'} running (from ${was} to ${now})`;
}

function instances(count: number): string {
  return count === 1 ? '1 instance' : `${count} instances`;
}
