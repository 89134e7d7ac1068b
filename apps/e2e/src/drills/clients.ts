import { setTimeout } from 'node:timers/promises';
import type { AcknowledgedReport } from '../support/acknowledged';
import type { Caller, RequestParts } from '../support/caller';
import { type Answer, Contract } from '../support/contract';
import { eventually } from '../support/eventually';
import { exchange } from '../support/exchange';
import { artifact, digest, flowForm, fresh, item } from '../support/samples';
import { type Installation, READER_KEY } from './installation';

const CLIENTS = 8;
/** The least pause between two reads (milliseconds). */
const READ_MS = 50;
/** How long to wait for an answer: longer than a gateway waits for a silent service (milliseconds). */
const PATIENCE_MS = 45_000;

/** Clients that report, each to an environment of its own, and what the service acknowledged. */
export class Clients {
  /** Reports that the service answered with 200. */
  readonly acknowledged: AcknowledgedReport[] = [];
  /** How many answers had each status, without successful ones; 0: no answer came. */
  readonly refused = new Map<number, number>();
  readonly environments = Array.from({ length: CLIENTS }, () => fresh('drill'));
  /** The longest time without an acknowledgement, and without an answer to a read (milliseconds). */
  readonly gaps = { reports: 0, reads: 0 };
  private readonly last = { reports: NaN, reads: NaN };
  private over = false;
  private isAbandoned = false;
  private running: Promise<unknown> = Promise.resolve();

  private caller: Caller | undefined;

  /** @param pauseMs how long a client waits after a report on average (milliseconds) */
  constructor(
    private readonly installation: Installation,
    private readonly pauseMs: number,
  ) {}

  /** Makes what they report to, and starts them, with one client that reads the list of deployments. */
  async load(): Promise<void> {
    // Several releases may answer, which document different things.
    this.caller = await this.installation.caller(
      Object.assign(new Contract({ paths: {} }), { check: () => undefined }),
    );
    for (const name of this.environments) {
      await this.insist('PUT', '/flows/acme/template_file', { form: flowForm({ name }) });
      await this.insist('PUT', '/environments/acme', { json: { name, type: 'docker' } });
    }
    Object.assign(this.last, { reports: performance.now(), reads: performance.now() });
    this.running = Promise.all([...this.environments.map((name) => this.reporting(name)), this.reading()]);
    // `during` and `unload` say why.
    this.running.catch(() => undefined);
  }

  /** Ends them after their last acknowledged report. */
  async unload(): Promise<void> {
    this.over = true;
    await this.running;
    for (const kind of ['reports', 'reads'] as const) this.served(kind);
  }

  /** Ends what still runs of them after a failure. */
  abandon(): void {
    this.over = this.isAbandoned = true;
  }

  /** Waits for a promise. Fails if a client fails first. */
  async during<T>(promise: Promise<T>): Promise<T> {
    const failed = this.running.then(() => new Promise<never>(() => undefined));
    return Promise.race([promise, failed]);
  }

  /** Waits until a number of further reports are acknowledged. */
  async more(count: number): Promise<void> {
    const end = this.acknowledged.length + count;
    await this.during(
      eventually(
        () => this.acknowledged.length,
        (now) => now >= end || this.isAbandoned,
        Infinity,
      ),
    );
  }

  /** Sends a request until it is answered without a failure of the service. Throws for an answer that blames the caller. */
  async insist(method: string, path: string, sent: RequestParts): Promise<Answer & { readonly tries: number }> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.send(method, path, sent);
      if (answer !== null && answer.status < 300) return { ...answer, tries };
      const status = answer?.status ?? 0;
      this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
      const isWhole = answer?.headers.has('retry-after') && answer.text.startsWith('{"message":');
      if (status === 503 && !isWhole) throw new Error(`503 without Retry-After or a message: ${answer?.text}`);
      // 409: other commands were faster too often. The caller may repeat it.
      if (![0, 409, 503].includes(status)) throw new Error(`${method} ${path} → ${status} ${answer?.text}`);
      if (this.isAbandoned) throw new Error('the drill is over');
      await setTimeout(READ_MS);
    }
  }

  /** The answer; null where the connection broke. */
  private async send(method: string, path: string, sent: RequestParts): Promise<Answer | null> {
    try {
      return (await this.caller?.send(method, path, { ...sent, signal: AbortSignal.timeout(PATIENCE_MS) })) ?? null;
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException;
      if (code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'EPIPE') return null;
      throw fault;
    }
  }

  /** Reports this artifact to an environment. */
  report(environment: string, fingerprint: string) {
    const json = { artifacts: [item({ web: fingerprint })] };
    return this.insist('PUT', `/environments/acme/${environment}/report/docker`, { json });
  }

  /** Reports provenance and then the next new artifact to an environment of these clients, until both are acknowledged. */
  async reportNext(environment: string): Promise<void> {
    const snapshot = this.acknowledged.filter((one) => one.environment === environment).length + 1;
    const fingerprint = digest(`${environment} ${snapshot}`);
    await this.insist('POST', `/artifacts/acme/${environment}`, { json: artifact(fingerprint) });
    const { text, tries } = await this.report(environment, fingerprint);
    // Each report makes one snapshot. An attempt without an answer may have made it.
    const [, created] = /snapshot (\d+) created/.exec(text) ?? [];
    if (created === undefined ? tries === 1 : Number(created) !== snapshot) throw new Error(`${snapshot}: ${text}`);
    this.acknowledged.push({ environment, flow: environment, snapshot, fingerprint });
    this.served('reports');
  }

  private async reporting(environment: string): Promise<void> {
    while (!this.over) {
      await this.reportNext(environment);
      // Of different length, so that clients do not fall into step and a failure never meets a service without requests.
      await setTimeout(2 * this.pauseMs * Math.random());
    }
  }

  private async reading(): Promise<void> {
    const headers = { authorization: `Bearer ${READER_KEY}` };
    while (!this.over) {
      const url = this.installation.nextUrl();
      const { status } = await exchange(`${url}/api/v2/deployments/acme?per_page=1`, { headers });
      if (status === 200) this.served('reads');
      else if (status !== 503) throw new Error(`a read was answered ${status}`);
      await setTimeout(READ_MS + this.pauseMs / 4);
    }
  }

  private served(kind: 'reports' | 'reads', now = performance.now()): void {
    this.gaps[kind] = Math.max(this.gaps[kind], now - this.last[kind]);
    this.last[kind] = now;
  }
}
