import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'yaml';
import type { Service } from './service';

const CHART = join(__dirname, '../../../../deploy/helm/assurance/templates/_helpers.tpl');
/** What Kubernetes takes where a probe does not say it. */
const UNLESS_SET = { periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 };
/** How often Prometheus asks in these drills, which is more often than the chart says, and how long it waits unless it is told (seconds). */
const [SCRAPE_SECONDS, SCRAPE_TIMEOUT_SECONDS] = [2, 10];

/** How the kubelet probes a container. */
interface Probe {
  readonly path: string;
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}

/** A probe as the chart sets it for all services. */
function probeOfChart(name: 'readinessProbe' | 'livenessProbe'): Probe {
  const [, block = ''] = new RegExp(`\\n      ${name}:\\n((?: {8}.*\\n)+)`).exec(readFileSync(CHART, 'utf8')) ?? [];
  const probe = parse(block.replaceAll(/\{\{.*?\}\}/g, '')) as Omit<Probe, 'path'> & {
    readonly httpGet: { readonly path: string };
  };
  return { ...UNLESS_SET, ...probe, path: probe.httpGet.path };
}

/** Seconds after which a service that answers no probe is certainly unready. */
export function unreadyAfter(): number {
  const { periodSeconds, timeoutSeconds, failureThreshold } = probeOfChart('readinessProbe');
  return periodSeconds * failureThreshold + timeoutSeconds;
}

/** How long answers of a path took: the median and the longest time (milliseconds). */
export function timesOf(kubelets: readonly Kubelet[], path: string): readonly [number, number] {
  const answers = kubelets.flatMap((kubelet) => kubelet.answers).filter((answer) => answer.path === path);
  const tookMs = answers.map((answer) => Math.ceil(answer.tookMs)).sort((a, b) => a - b);
  return [tookMs[tookMs.length >> 1] ?? NaN, tookMs.at(-1) ?? NaN];
}

/** Probes a service as the kubelet does with the settings of the chart, and reads its metrics as Prometheus does. */
export class Kubelet {
  /** Whether the service is in its Service, and whether the kubelet would have killed it. */
  isReady = true;
  isKilled = false;
  /** Answers that were no success, and missing answers. */
  readonly failures: string[] = [];
  /** How long each answer took (milliseconds). */
  readonly answers: { readonly path: string; readonly tookMs: number }[] = [];
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>;

  constructor(private readonly service: Service) {
    this.running = Promise.all([
      this.probe(probeOfChart('readinessProbe'), (isReady) => (this.isReady = isReady)),
      this.probe(probeOfChart('livenessProbe'), (isLive) => (this.isKilled ||= !isLive)),
      this.scrape(),
    ]);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** @param decide is called after each probe: false after so many failures in a row as the probe says */
  private async probe(probe: Probe, decide: (passes: boolean) => void): Promise<void> {
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      failures = (await this.ask(probe.path, probe.timeoutSeconds)) ? 0 : failures + 1;
      decide(failures < probe.failureThreshold);
      await this.pause(probe.periodSeconds);
    }
  }

  private async scrape(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.ask('/metrics', SCRAPE_TIMEOUT_SECONDS);
      await this.pause(SCRAPE_SECONDS);
    }
  }

  private async ask(path: string, seconds: number): Promise<boolean> {
    const began = performance.now();
    const failed = (why: string): false => {
      this.failures.push(`${this.service.name} ${path}: ${why}`);
      return false;
    };
    try {
      const response = await fetch(this.service.operationsUrl + path, { signal: AbortSignal.timeout(seconds * 1_000) });
      const text = await response.text();
      return response.ok || failed(`${response.status} ${text}`);
    } catch (fault) {
      return failed(String(fault));
    } finally {
      this.answers.push({ path, tookMs: performance.now() - began });
    }
  }

  private async pause(seconds: number): Promise<void> {
    await setTimeout(seconds * 1_000, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
