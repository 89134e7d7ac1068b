import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask, each, form, range } from '../common/api.ts';
import { artifactOf, fingerprintOf, reportOf } from '../common/made-up.ts';
import { read } from '../common/root.ts';
import { ORG, type Stage } from '../common/stage.ts';

const CLIENTS = 8;
const PAGE = 50;
/** The least pause between two reads (milliseconds). */
const READ_MS = 50;
/** How long to wait for an answer: longer than a gateway waits for a silent service (milliseconds). */
const PATIENCE_MS = 45_000;
/** A time within every default window (epoch seconds). */
const YESTERDAY = Math.floor(Date.now() / 1000) - 86_400;
/** The lead time of every deployment of a drill (seconds). */
export const LEAD_TIME = 600;

export interface Size {
  readonly times: number;
  readonly seconds: number;
  /** How many reports are acknowledged before and after each failure. */
  readonly reports: number;
  /** How long a client waits after a report on average (milliseconds). */
  readonly pause: number;
  /** How many of each role are replaced at most. */
  readonly instances: number;
}

/** A run of a drill: its stage, what the service acknowledged, and what it answered otherwise. */
export class Drill {
  readonly stage: Stage;
  readonly size: Size;
  /** Reports that the service answered with 200, by environment: fingerprints. */
  readonly acknowledged = new Map<string, string[]>();
  /** What the service must never do. */
  readonly wrong: string[] = [];
  /** How many answers had each status, without successful ones. */
  readonly refused = new Map<number, number>();
  readonly gaps = { reports: 0, reads: 0 };
  slowest = 0;
  count = 0;
  #last = { reports: performance.now(), reads: performance.now() };
  #waiting: { readonly count: number; readonly done: () => void }[] = [];
  #turn = 0;
  #over = false;
  #running: Promise<unknown> = Promise.resolve();
  #failed: Promise<never> = new Promise(() => undefined);

  constructor(stage: Stage, size: Size) {
    this.stage = stage;
    this.size = size;
  }

  expect(good: boolean, text: string): void {
    if (!good) this.wrong.push(text);
  }

  /** Expects that a restore took no longer than the page about reliability says, whose words have the seconds. Returns these. */
  expectWithin(seconds: number, words: RegExp): number {
    const bound = Number(words.exec(read('docs/operating/reliability.md'))?.[1]);
    this.expect(seconds <= bound, `the restore took ${seconds.toFixed(1)} s; the page says ${bound} s`);
    return bound;
  }

  /** Sends a request once, to the next gateway, and tells failures of the service from refusals by their status. */
  async ask(who: 'writer' | 'reader', method: string, path: string, body?: unknown): Promise<Answer> {
    const { gateway, keys } = this.stage;
    const url = gateway[this.#turn++ % gateway.length]?.url ?? '';
    const answer = await ask({ url, key: keys[who], org: ORG }, method, path, body, PATIENCE_MS);
    const { status, headers, text, ms } = answer;
    this.slowest = Math.max(this.slowest, ms);
    if (status >= 200 && status < 300) return answer;
    this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
    this.expect(status !== 0 || !text.includes('Timeout'), 'a caller waited in vain');
    const whole = headers.has('retry-after') && text.startsWith('{"message":');
    this.expect(status !== 503 || whole, `a 503 without Retry-After or a message: ${text}`);
    this.expect(status < 500 || status === 503, `${status}: ${text}`);
    return answer;
  }

  /**
   * Sends a request to the gateways in turn until one answers without a failure of the service.
   *
   * @throws Error for an answer that blames the caller
   */
  async insist(method: string, path: string, body?: unknown): Promise<Answer & { readonly tries: number }> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.ask('writer', method, path, body);
      const { status, text } = answer;
      if (status >= 200 && status < 300) return { ...answer, tries };
      // 409: other commands were faster too often. The caller may repeat it.
      if (status !== 0 && status !== 409 && status < 500) throw new Error(`${method} ${path}: ${status} ${text}`);
      await sleep(50);
    }
  }

  /** Reads what must be there. */
  async read<T>(path: string): Promise<T> {
    const { status, text } = await this.ask('reader', 'GET', path);
    if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Reads all items of a list, page by page. */
  async pages<T>(path: string): Promise<readonly T[]> {
    const all: T[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await this.read<T[] | { deployments: T[] }>(`${path}&per_page=${PAGE}&page=${page}`);
      const some = Array.isArray(answer) ? answer : answer.deployments;
      all.push(...some);
      if (some.length < PAGE) return all;
    }
  }

  /** Makes environments, each with a flow of its name. */
  async make(names: readonly string[]): Promise<void> {
    await each(names, async (name) => {
      await this.insist('PUT', '/flows/{org}/template_file', form({ name }));
      await this.insist('PUT', '/environments/{org}', { name, type: 'docker' });
      this.acknowledged.set(name, []);
    });
  }

  /** Sends the report of a container. */
  report(environment: string, fingerprint: string) {
    const report = reportOf([{ name: 'web', fingerprint, since: YESTERDAY }]);
    return this.insist('PUT', `/environments/{org}/${environment}/report/docker`, report);
  }

  /** Reports provenance and then the next new artifact to an environment of this client, until both are acknowledged. */
  async reportNext(name: string): Promise<void> {
    const number = (this.acknowledged.get(name)?.length ?? 0) + 1;
    const fingerprint = fingerprintOf(`${name} ${number}`);
    const commit = { commit: fingerprint, at: YESTERDAY - LEAD_TIME };
    const artifact = artifactOf({ fingerprint, filename: 'shop/web:1', trail: `build-${number}`, ...commit });
    await this.insist('POST', `/artifacts/{org}/${name}`, artifact);
    const { text, tries } = await this.report(name, fingerprint);
    // Each report creates one snapshot. `No new snapshot` is right only after an attempt without an answer.
    const made = /snapshot (\d+) created/.exec(text);
    this.expect(made === null ? tries > 1 : Number(made[1]) === number, `report ${number}: ${text}`);
    this.acknowledge(name, fingerprint);
  }

  acknowledge(environment: string, fingerprint: string): void {
    this.served('reports');
    this.acknowledged.get(environment)?.push(fingerprint);
    this.count += 1;
    for (const { count, done } of this.#waiting) if (count <= this.count) done();
    this.#waiting = this.#waiting.filter(({ count }) => count > this.count);
  }

  served(kind: 'reports' | 'reads', now = performance.now()): void {
    this.gaps[kind] = Math.max(this.gaps[kind], now - this.#last[kind]);
    this.#last[kind] = now;
  }

  /**
   * Starts clients that report to their own environments, and one that reads the list of deployments. `during` fails where a client
   * fails.
   */
  async load(): Promise<void> {
    const { pause } = this.size;
    const run = randomUUID().slice(0, 8);
    const names = range(CLIENTS).map((i) => `${run}-${i}`);
    await this.make(names);
    const client = async (name: string): Promise<void> => {
      while (!this.#over) {
        await this.reportNext(name);
        // Of different length, so that clients do not fall into step and a failure never meets a service without requests.
        await sleep(2 * pause * Math.random());
      }
    };
    const reader = async (): Promise<void> => {
      while (!this.#over) {
        const { status } = await this.ask('reader', 'GET', '/deployments/{org}?per_page=1');
        if (status === 200) this.served('reads');
        await sleep(READ_MS + pause / 4);
      }
    };
    // Gaps count from now on.
    this.#last = { reports: performance.now(), reads: performance.now() };
    this.#running = Promise.all([...names.map(client), reader()]);
    this.#failed = this.#running.then(() => new Promise<never>(() => undefined));
    this.#failed.catch(() => undefined);
  }

  /** Ends the clients after their last acknowledged report. */
  async unload(): Promise<void> {
    this.#over = true;
    await this.#running;
    for (const kind of ['reports', 'reads'] as const) this.served(kind);
  }

  /** Waits for a promise. Fails if a client fails first. */
  during<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#failed]);
  }

  /** Waits until a number of further reports are acknowledged. */
  more(count = this.size.reports): Promise<void> {
    return this.during(new Promise<void>((done) => this.#waiting.push({ count: this.count + count, done })));
  }
}
