/** When this number of answers waits, they are written at once. */
const MOST = 64;

let waiters: (() => void)[] = [];

/**
 * Writes the answers of one turn of the event loop together. Each write to a socket wakes the process that reads it,
 * which costs more CPU than the rest of a short answer; a process that reads one answer is already awake for the next.
 * With one write per answer, a machine answered three fifths as many unchanged reports (docs/benchmarks.md).
 *
 * @param write does not throw
 */
export function writeSoon(write: () => void): void {
  const count = waiters.push(write);
  if (count === 1) setImmediate(writeAll);
  if (count === MOST) writeAll();
}

function writeAll(): void {
  const writes = waiters;
  waiters = [];
  for (const write of writes) write();
}
