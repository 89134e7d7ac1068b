// Sends a request every 20 ms without waiting for the answers to those before it (unless 50 of them wait), and measures how long each waits. It is a process of its own,
// so that what an attack keeps the test busy with does not count.
import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { type ProbeCall, type ProbeResult, type ProbeRequest, SLOTS } from './call';

const EVERY_MS = 20;
const PATIENCE_MS = 30_000;
/** More would overload a service that is slow for other reasons. Those that wait are enough to measure. */
const OPEN_MAX = 50;

type TimedWaits = [at: number, waited: number][];

/** The measurements of one call. */
interface CallMeasurements {
  /** Milliseconds. */
  readonly before: TimedWaits;
  readonly during: TimedWaits;
  readonly refused: Map<string, number>;
}

const lines = createInterface(process.stdin);
lines.once('line', (line) => probe(JSON.parse(line) as ProbeRequest));

function probe({ url, key, calls }: ProbeRequest): void {
  const agent = new Agent({ keepAlive: true });
  const all = calls.map((call) => ({ call, seen: { before: [], during: [], refused: new Map() } as CallMeasurements }));
  const open = new Set<Promise<void>>();
  let attacked = false;
  let count = 0;
  lines.once('line', () => (attacked = true));
  const timer = setInterval(() => {
    const { call, seen } = all[count % all.length] ?? {};
    count += 1;
    if (call === undefined || seen === undefined || open.size >= OPEN_MAX) return;
    const waits = attacked ? seen.during : seen.before;
    const at = Date.now();
    const started = performance.now();
    const ended = send(agent, url, key, call, count).then((word) => {
      waits.push([at, performance.now() - started]);
      if (word !== null) seen.refused.set(word, (seen.refused.get(word) ?? 0) + 1);
      open.delete(ended);
    });
    open.add(ended);
  }, EVERY_MS);
  lines.once('close', () => {
    clearInterval(timer);
    void Promise.all(open).then(() => {
      const results = all.map(({ call, seen }) => figures(call.name, seen));
      process.stdout.write(JSON.stringify(results), () => process.exit());
    });
  });
}

/** @returns the fault of the answer in one word; null for 2xx */
function send(agent: Agent, url: string, key: string, call: ProbeCall, count: number): Promise<string | null> {
  const path = `/api/v2${call.path.replace('$SLOT', String(count % SLOTS))}`;
  const digest = createHash('sha256').update(`probe ${process.pid} ${count}`).digest('hex');
  const body = call.json?.replace('$DIGEST', digest);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const clientRequest = request(
      new URL(path, url),
      { method: call.method, headers, agent: call.fresh === true ? false : agent },
      (response) => {
        const { statusCode = 0 } = response;
        const word = statusCode >= 200 && statusCode < 300 ? null : String(statusCode);
        response.resume();
        response.once('end', () => resolve(word));
        response.once('error', (fault) => resolve(fault.message));
      },
    );
    clientRequest.setTimeout(PATIENCE_MS, () => clientRequest.destroy(new Error('no answer in 30 s')));
    clientRequest.once('error', (fault) => resolve(fault.message));
    clientRequest.end(body);
  });
}

function figures(name: string, { before, during, refused }: CallMeasurements): ProbeResult {
  return {
    name,
    before: Math.max(0, ...before.map(([, waited]) => waited)),
    during,
    refused: Object.fromEntries(refused),
  };
}
