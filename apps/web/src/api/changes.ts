import { fileUrl } from './client';

/** How long after the connection broke it is tried again; each time in vain doubles it. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

const wait = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * Tells of changes in an organization as they happen. Tabs of one browser share one connection, as a browser has few of them for a host:
 * the tab that holds a lock reads, and passes on to the others what it hears.
 *
 * @returns ends it
 */
export function follow(org: string, changed: () => void): () => void {
  const name = `assurance-changes ${org}`;
  const others = new BroadcastChannel(name);
  const ending = new AbortController();
  others.onmessage = changed;
  const tell = () => {
    changed();
    others.postMessage(null);
  };
  navigator.locks
    .request(name, { signal: ending.signal }, () => readOn(org, tell, ending.signal))
    .catch(() => undefined); // ended before it held the lock
  return () => {
    ending.abort();
    others.close();
  };
}

/** Reads until it is ended, and comes back with the last id so that nothing is missed. */
async function readOn(org: string, changed: () => void, signal: AbortSignal): Promise<void> {
  let last: string | null = null;
  let pause = FIRST_WAIT;
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = {
        'X-Assurance-Page': '1',
        ...(last === null ? {} : { 'Last-Event-ID': last }),
      };
      const response: Response = await fetch(fileUrl('changes', org), { headers, credentials: 'same-origin', signal });
      // Whoever is signed out is told so by what they do next.
      if (response.status === 401 || response.status === 403) return;
      if (response.ok && response.body !== null) {
        pause = FIRST_WAIT;
        for await (const { id, event } of eventsOf(response.body as ReadableStream<BufferSource>)) {
          last = id ?? last;
          if (event === 'changed') changed();
        }
      }
    } catch {
      // The connection broke, or was ended.
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
