import { renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Counter, Gauge, Registry } from 'prom-client';

/** `incomplete`: a part of the list was missing, so no report was sent. */
export type Result = 'sent' | 'incomplete' | 'refused' | 'unreachable';
const RESULTS: readonly Result[] = ['sent', 'incomplete', 'refused', 'unreachable'];

export class Metrics {
  private readonly registry = new Registry();
  private readonly reports = new Counter({
    name: 'assurance_reporter_reports_total',
    help: 'Reports by what became of them.',
    labelNames: ['environment', 'kind', 'result'] as const,
    registers: [this.registry],
  });
  private readonly success = new Gauge({
    name: 'assurance_reporter_last_success_timestamp_seconds',
    help: 'When the service last took a report.',
    labelNames: ['environment', 'kind'] as const,
    registers: [this.registry],
  });
  private readonly artifacts = new Gauge({
    name: 'assurance_reporter_items',
    help: 'Items of the last complete list.',
    labelNames: ['environment', 'kind'] as const,
    registers: [this.registry],
  });

  constructor(environments: readonly { readonly environment: string; readonly kind: string }[]) {
    for (const { environment, kind } of environments) {
      for (const result of RESULTS) this.reports.inc({ environment, kind, result }, 0);
      this.success.set({ environment, kind }, 0);
    }
  }

  count(environment: string, kind: string, result: Result): void {
    this.reports.inc({ environment, kind, result });
    if (result === 'sent') this.success.setToCurrentTime({ environment, kind });
  }

  countListed(environment: string, kind: string, items: number): void {
    this.artifacts.set({ environment, kind }, items);
  }

  async text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Serves `/metrics`. */
  listen(host: string, port: number): Server {
    return createServer((request, response) => {
      if (request.url !== '/metrics') return void response.writeHead(404).end();
      void this.text().then((text) => response.writeHead(200, { 'content-type': this.registry.contentType }).end(text));
    }).listen(port, host);
  }

  /** Atomically writes a file for the textfile collector of node_exporter. */
  async write(path: string): Promise<void> {
    writeFileSync(`${path}.new`, await this.text());
    renameSync(`${path}.new`, path);
  }
}
