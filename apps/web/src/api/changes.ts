import { fileUrl } from './client';
import { connectionFound, connectionLost } from './connection';

/** Wait before the first reconnection (milliseconds). Each failed attempt doubles the wait. */
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
 * Reports changes in an organization as they happen.
 *
 * @returns stops the reports
 */
export function follow(org: string, onChange: () => void): () => void {
  const endController = new AbortController();
  // Browsers offer locks only on localhost and over HTTPS.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) followWhileVisible(org, onChange, endController.signal);
  else followTogether(locks, org, onChange, endController.signal);
  return () => endController.abort();
}

/**
 * Shares one connection between the tabs of a browser, because a browser allows few connections to a host. The tab that holds a lock reads, and
 * passes what it receives to the other tabs.
 */
function followTogether(locks: LockManager, org: string, onChange: () => void, signal: AbortSignal): void {
  const name = `assurance-changes ${org}`;
  const otherTabs = new BroadcastChannel(name);
  const tell = (news: News) => {
    otherTabs.postMessage(news);
    hear(news, onChange);
  };
  otherTabs.onmessage = ({ data }: MessageEvent<News>) => hear(data, onChange);
  signal.addEventListener('abort', () => otherTabs.close());
  locks.request(name, { signal }, () => readOn(org, tell, signal)).catch(() => undefined); // Aborted before it held the lock.
}

/** Gives a tab its own connection while it is visible. The tab reads the missed changes when it becomes visible again. */
function followWhileVisible(org: string, onChange: () => void, signal: AbortSignal): void {
  let readController: AbortController | null = null;
  const read = () => {
    readController = new AbortController();
    void readOn(org, (news) => hear(news, onChange), AbortSignal.any([readController.signal, signal]));
  };
  const look = () => {
    if (document.visibilityState === 'hidden') {
      readController?.abort();
      readController = null;
    } else if (readController === null) {
      onChange();
      read();
    }
  };
  if (document.visibilityState === 'visible') read();
  document.addEventListener('visibilitychange', look, { signal });
}

/** What a tab can receive: something changed, the service does not answer, or it answers again. */
type News = 'changed' | 'lost' | 'found';

function hear(news: News, onChange: () => void): void {
  if (news === 'lost') connectionLost();
  else if (news === 'found') connectionFound();
  else onChange();
}

/** Reads until it is aborted. After an interruption it reconnects with the last id, so that nothing is missed. */
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
      // The next request tells a reader that the session has ended.
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
      // The connection failed, broke, or was aborted.
      if (!signal.aborted) tell('lost');
    }
    await wait(pause, signal);
    pause = Math.min(pause * 2, LONGEST_WAIT);
  }
}

interface ChangeEvent {
  readonly id: string | null;
  readonly event: string | null;
}

/** Reads the events of a stream (text/event-stream) without their data. The pages request the changed content anyway. */
async function* eventsOf(body: ReadableStream<BufferSource>): AsyncGenerator<ChangeEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let remainder = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const blocks = (remainder + piece.value).split('\n\n');
    remainder = blocks.pop() ?? '';
    for (const block of blocks) yield { id: fieldOf(block, 'id'), event: fieldOf(block, 'event') };
  }
}

const fieldOf = (block: string, name: string): string | null =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim() ?? null;
