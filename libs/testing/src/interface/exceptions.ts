import type { Difference } from './documented';

/** A row of the page: these operations differ in this, as this statement forces. */
const ROW = /^\| (`(?:GET|PUT|POST|PATCH|DELETE) .*?`) \| (`.*?`) \| (.+?) \|$/gm;
const CODE = /`([^`]+)`/g;

/** The differences that a page for users excuses, each in a row of its table. */
export interface Exceptions {
  /** Whether a row has this difference. */
  readonly allows: (difference: Difference) => boolean;
  /** Rows, or parts of them, for which `allows` was not called with a difference. */
  readonly unused: () => readonly string[];
}

/** Reads the rows `| operations | differences | statement |`. */
export function exceptionsIn(page: string): Exceptions {
  const remaining = new Set<string>();
  const all = new Set<string>();
  for (const [, operations = '', differences = ''] of page.matchAll(ROW)) {
    for (const [, operation = ''] of operations.matchAll(CODE)) {
      for (const [, what = ''] of differences.matchAll(CODE)) all.add(`${operation}: ${what}`);
    }
  }
  for (const text of all) remaining.add(text);
  return {
    allows: ({ operation, what }) => {
      remaining.delete(`${operation}: ${what}`);
      return all.has(`${operation}: ${what}`);
    },
    unused: () => [...remaining],
  };
}
