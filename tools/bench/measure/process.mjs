// Reads the figures of a process from /proc. Other systems have no /proc: run the benchmarks on Linux.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

let known;

function ticks() {
  known ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return known;
}

/** Seconds of CPU between two readings: at least what Linux counts by, since a ratio to nothing says nothing. */
export function cpuBetween(before, after) {
  return Math.max(after - before, 1 / ticks());
}

/** Seconds of CPU that a process has used, all threads, user and system. Linux counts in hundredths. */
export function cpuSeconds(pid) {
  // The second field is the command in parentheses, which may hold blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks();
}

/** Resident memory in MB: now, and the most since the start. */
export function memory(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}

/** Bytes that threads other than the first have handed to `write` and its kind: what the writer puts into database and WAL. */
export function bytesWritten(pid) {
  const others = readdirSync(`/proc/${pid}/task`).filter((thread) => Number(thread) !== pid);
  const of = (thread) => Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/io`, 'utf8'))[1]);
  return others.reduce((sum, thread) => sum + of(thread), 0);
}
