import { fileUrl } from './client';
import { connectionFound, connectionLost } from './connection';

/** How long after the connection broke it is tried again; each time in vain doubles it. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 10_000;

const wait = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * Tells of changes in an organization as they happen.
 *
 * @returns ends it
 */
export function follow(org: string, changed: () => void): () => void {
  const ending = new AbortController();
  // Browsers offer locks on localhost and over HTTPS only.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) followWhileVisible(org, changed, ending.signal);
  else followTogether(locks, org, changed, ending.signal);
  return () => ending.abort();
}

/**
 * Tabs of one browser share one connection, as a browser has few of them for a host: the tab that holds a lock reads, and passes on to the others
 * what it hears.
 */
function followTogether(locks: LockManager, org: string, changed: () => void, signal: AbortSignal): void {
  const name = `assurance-changes ${org}`;
  const others = new BroadcastChannel(name);
  const tell = (news: News) => {
    others.postMessage(news);
    hear(news, changed);
  };
  others.onmessage = ({ data }: MessageEvent<News>) => hear(data, changed);
  signal.addEventListener('abort', () => others.close());
  locks.request(name, { signal }, () => readOn(org, tell, signal)).catch(() => undefined); // ended before it held the lock
}

/** A tab has a connection of its own while it is visible. What changed meanwhile is read when it is shown again. */
function followWhileVisible(org: string, changed: () => void, signal: AbortSignal): void {
  let reading: AbortController | null = null;
  const read = () => {
    reading = new AbortController();
    void readOn(org, (news) => hear(news, changed), AbortSignal.any([reading.signal, signal]));
  };
  const look = () => {
    if (document.visibilityState === 'hidden') {
      reading?.abort();
      reading = null;
    } else if (reading === null) {
      changed();
      read();
    }
  };
  if (document.visibilityState === 'visible') read();
  document.addEventListener('visibilitychange', look, { signal });
}

/** What a tab hears: something changed, the service does not answer, or it answers. */
type News = 'changed' | 'lost' | 'found';

function hear(news: News, changed: () => void): void {
  if (news === 'lost') connectionLost();
  else if (news === 'found') connectionFound();
  else changed();
}

/** Reads until it is ended, and comes back with the last id so that nothing is missed. */
async function readOn(org: string, tell: (news: News) => void, signal: AbortSignal): Promise<void> {
  let last: string | null = null;
  let pause = FIRST_WAIT;
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = {
        'X-Assurance-Page': '1',
        ...(last === null ? {} : { 'Last-Event-ID': last }),
      };
      const response: Response = await fetch(fileUrl('changes', org), { headers, credentials: 'same-origin', signal });
      // Somebody who is signed out sees that with the next request.
      if (response.status === 401 || response.status === 403) return;
      if (response.ok && response.body !== null) {
        pause = FIRST_WAIT;
        tell('found');
        for await (const { id, event } of eventsOf(response.body as ReadableStream<BufferSource>)) {
          last = id ?? last;
          if (event === 'changed') tell('changed');
        }
      } else if (response.status >= 500) tell('lost');
    } catch {
      // The connection could not be made, broke, or was ended.
      if (!signal.aborted) tell('lost');
    }
    await wait(pause, signal);
    pause = Math.min(pause * 2, LONGEST_WAIT);
  }
}

interface Told {
  readonly id: string | null;
  readonly event: string | null;
}

/** The events of a stream (text/event-stream), without their data: what changed is asked for anyway. */
async function* eventsOf(body: ReadableStream<BufferSource>): AsyncGenerator<Told> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const blocks = (rest + piece.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield { id: fieldOf(block, 'id'), event: fieldOf(block, 'event') };
  }
}

const fieldOf = (block: string, name: string): string | null =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim() ?? null;
