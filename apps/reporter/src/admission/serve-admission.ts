import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config';
import type { Network } from '../http';
import { serveMetrics } from '../metrics';
import type { Log } from '../reporter';
import { AdmissionMetrics } from './admission-metrics';
import { followCertificates } from './certificates';
import { Gate } from './gate';
import { createReviewServer, type Readiness } from './review-server';

/** The pause before a gate that got no verdict is checked again (milliseconds). */
const CHECK_MS = 5_000;
/** How long running reviews may continue after the listener closed (milliseconds). */
const DRAIN_MS = 10_000;

/** Serves a validating admission webhook until the signal aborts, and then as long as API servers may still send reviews. */
export async function serveAdmission(
  config: Config,
  network: Network,
  env: Readonly<Record<string, string | undefined>>,
  stopSignal: AbortSignal,
  log: Log,
): Promise<true> {
  const settings = config.admission;
  if (settings === null) throw new Error('admission is missing: write its section into the configuration.');
  const metrics = new AdmissionMetrics();
  const gate = new Gate(config.url, settings, network, env, (fault) => metrics.countFault(fault));
  const readiness: Readiness = { isReady: false, isStopping: false };
  const server = createReviewServer(gate, settings, readiness, metrics, log);
  const stopFollowing = followCertificates(server, settings, log);
  const metricsServer = config.metrics && serveMetrics(metrics.registry, config.metrics.host, config.metrics.port);
  const isWorking = () => isGateWorking(gate, readiness, settings.environment, log);
  const checks = (await isWorking()) ? Promise.resolve() : repeat(isWorking, stopSignal);
  await once(server.listen(settings.port, settings.host), 'listening');
  process.stdout.write(`admission listens on https://${settings.host}:${(server.address() as AddressInfo).port}\n`);
  if (!stopSignal.aborted) await once(stopSignal, 'abort');
  readiness.isStopping = true;
  await Promise.all([checks, sleep(settings.stopDelayMs)]);
  const cutTimer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  const closed = once(server, 'close');
  server.close();
  await closed;
  clearTimeout(cutTimer);
  stopFollowing();
  metricsServer?.close();
  return true;
}

/**
 * Checks whether the gate gets verdicts, and sets whether the process is ready: not while it is misconfigured, so that a rollout stops and older pods
 * go on. A service that is away is no reason, because then namespaces decide.
 */
async function isGateWorking(gate: Gate, readiness: Readiness, environment: string, log: Log): Promise<boolean> {
  const verdict = await gate.check();
  const fault = verdict.kind === 'unknown' ? verdict.fault : null;
  readiness.isReady = fault !== 'misconfigured';
  if (verdict.kind === 'unknown') {
    const state = readiness.isReady ? 'ready' : 'not ready';
    log({
      level: 'error',
      environment,
      message: `The gate is checked again, and ${state} until then. ${verdict.reason}`,
    });
  } else log({ level: 'info', environment, message: 'The gate gets verdicts.' });
  return fault === null || fault === 'unjudged';
}

async function repeat(isDone: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  do await sleep(CHECK_MS, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted && !(await isDone()));
}
