// Reads figures of a process from /proc, which only Linux has.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

let known;

function ticks() {
  known ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return known;
}

/** CPU between two readings (seconds), at least the resolution of Linux, so that ratios are defined. */
export function cpuBetween(before, after) {
  return Math.max(after - before, 1 / ticks());
}

/** CPU of a process: all threads, user and system (seconds). Linux counts in hundredths. */
export function cpuSeconds(pid) {
  // The second field is the command in parentheses, which may contain blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks();
}

/** Resident memory: now, and the maximum since the start (MB). */
export function memory(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}

/** Bytes that all threads except the main thread have written, for the database and its WAL. */
export function bytesWritten(pid) {
  const others = readdirSync(`/proc/${pid}/task`).filter((thread) => Number(thread) !== pid);
  const of = (thread) => Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/io`, 'utf8'))[1]);
  return others.reduce((sum, thread) => sum + of(thread), 0);
}
