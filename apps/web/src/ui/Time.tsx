import { useState, useSyncExternalStore } from 'react';
import { formatDuration, formatExact, formatMoment, formatRelative, isAhead, isKnownTime } from './format';
import css from './Time.module.css';
import { useZone } from './zone';

/** How often relative times are updated (milliseconds). */
const TICK = 15_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    listeners.forEach((tell) => tell());
  }, TICK);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The clock stands still while nothing reads it. */
function read(): number {
  if (listeners.size === 0 && Date.now() - now >= TICK) now = Date.now();
  return now;
}

/** The time in epoch seconds. It is updated every quarter of a minute. */
export const useNow = (): number => useSyncExternalStore(subscribe, read) / 1000;

/** A moment in epoch seconds, and how long ago it was. `none` is the text without a moment. */
export function Time({ at, none = 'unknown' }: { readonly at: number | null | undefined; readonly none?: string }) {
  if (!isKnownTime(at)) return <span className="quiet">{none}</span>;
  return <Moment key={at} at={at} />;
}

/** It reads the clock when it is mounted, because what it shows may be newer than the last update of the time. */
function Moment({ at }: { readonly at: number }) {
  const [mountedAt] = useState(() => Date.now() / 1000);
  const current = Math.max(useNow(), mountedAt);
  const zone = useZone();
  return (
    <time className={css.time} dateTime={new Date(at * 1000).toISOString()} title={formatExact(at, zone)}>
      <span>{formatMoment(at, current, zone)}</span> <span className="quiet">{formatRelative(at, current)}</span>
    </time>
  );
}

/** The moment at which something was recorded, and why it may be still to come: later records have at least the same time. */
export function RecordedTime({ at }: { readonly at: number }) {
  const ahead = isAhead(at, useNow());
  return (
    <>
      <Time at={at} />
      {ahead && <span className="small quiet"> The clock of the service was ahead when this was recorded.</span>}
    </>
  );
}

/** A length of time in seconds. */
export function Duration({ seconds }: { readonly seconds: number | null | undefined }) {
  if (seconds == null) return <span className="quiet">unknown</span>;
  return <span title={`${Math.round(seconds)} seconds`}>{formatDuration(seconds)}</span>;
}
