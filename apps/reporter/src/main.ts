import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { serveAdmission } from './admission/serve-admission';
import { type Config, type EnvironmentSettings, readConfig } from './config';
import { networkOf } from './http';
import { Metrics } from './metrics';
import { type Log, Reporter } from './reporter';
import { keyFrom, type Target } from './service';
import { sourceOf } from './sources';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the root's manifest belongs to no project
import { version } from '../../../package.json';

const USAGE = `assurance-reporter [--config FILE] [--environment NAME]… [--once | --dry-run]
assurance-reporter admission [--config FILE]
assurance-reporter --version

  --config FILE       the configuration (REPORTER_CONFIG, else /etc/assurance-reporter/config.yaml)
  --environment NAME  only this environment of it; may be repeated
  --once              looks once, also where the configuration has an interval
  --dry-run           prints the bodies, one a line, and sends nothing
`;

/** The time of a long look: a large bucket, or a cloud that throttles. */
const LOOK_MS = 15 * 60_000;

const { env } = process;

// eslint-disable-next-line no-restricted-syntax -- a program of its own, which has no runtime
const now = () => new Date().toISOString();

const log: Log = (entry) => void process.stderr.write(`${JSON.stringify({ time: now(), ...entry })}\n`);

function loadConfig(file = env['REPORTER_CONFIG'] ?? '/etc/assurance-reporter/config.yaml'): Config {
  const inline = env['REPORTER_CONFIG_YAML'];
  if (inline !== undefined && !existsSync(file)) return readConfig(inline);
  return readConfig(readFileSync(file, 'utf8'));
}

function reporters(
  config: Config,
  selectedEnvironments: readonly EnvironmentSettings[],
  signal: AbortSignal,
  retrySeconds?: number,
) {
  const network = networkOf(config.network, env);
  const metrics = new Metrics(selectedEnvironments.map(({ environment, source: { kind } }) => ({ environment, kind })));
  const all = selectedEnvironments.map((settings) => {
    const { environment, organization, create, source } = settings;
    const key = keyFrom(settings.apiKeyFile, settings.apiKeyVariable, env);
    const target: Target = { url: config.url, organization, environment, kind: source.kind, create, key, network };
    const note = (message: string) => log({ level: 'info', environment, message });
    return new Reporter(target, sourceOf(source, network, env, note), metrics, log, signal, retrySeconds);
  });
  return { all, metrics };
}

/** Reports all environments once, at the same time. @returns whether the service accepted every report */
async function reportOnce(config: Config, selected: readonly EnvironmentSettings[]): Promise<boolean> {
  const { all, metrics } = reporters(config, selected, new AbortController().signal, config.retrySeconds);
  const accepted = await Promise.all(all.map(async (reporter) => reporter.runOnce()));
  if (config.metricsFile !== null) {
    // A report that was accepted is no failure because this file cannot be written.
    await metrics.write(config.metricsFile).catch((fault: unknown) => {
      const environment = selected.map((settings) => settings.environment).join(', ');
      log({ level: 'error', environment, message: `metricsFile cannot be written: ${String(fault)}` });
    });
  }
  return accepted.every(Boolean);
}

async function reportAlways(config: Config, selected: readonly EnvironmentSettings[], interval: number): Promise<void> {
  const stopped = stopSignal();
  const { all, metrics } = reporters(config, selected, stopped);
  const silenceMs = Math.max(LOOK_MS, 5 * interval * 1_000);
  const server = config.metrics && metrics.listen(config.metrics.host, config.metrics.port, silenceMs);
  await Promise.all(all.map(async (reporter) => reporter.follow(interval)));
  server?.close();
}

/** Prints the bodies. @returns whether every list is complete */
async function dryRun(config: Config, selectedEnvironments: readonly EnvironmentSettings[]): Promise<boolean> {
  let complete = true;
  for (const reporter of reporters(config, selectedEnvironments, new AbortController().signal).all) {
    const { environment } = reporter.target;
    try {
      process.stdout.write(`${JSON.stringify(await reporter.body())}\n`);
    } catch (fault) {
      complete = false;
      log({ level: 'error', environment, message: `The list is incomplete, so nothing is printed: ${String(fault)}` });
    }
  }
  return complete;
}

function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

async function run(): Promise<boolean> {
  const { node } = process.versions;
  if (Number.parseInt(node) < 24) throw new Error(`The reporter needs Node 24 or later; this is Node ${node}.`);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      config: { type: 'string' },
      environment: { type: 'string', multiple: true },
      once: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [command, ...more] = positionals;
  if (values.help || more.length > 0 || (command !== undefined && command !== 'admission')) {
    (values.help ? process.stdout : process.stderr).write(USAGE);
    return values.help;
  }
  if (values.version) {
    process.stdout.write(`${version}\n`);
    return true;
  }
  const config = loadConfig(values.config);
  if (command === 'admission') return serveAdmission(config, networkOf(config.network, env), env, stopSignal(), log);
  const names = values.environment;
  const unknown = names?.find((name) => config.environments.every(({ environment }) => environment !== name));
  if (unknown !== undefined) throw new Error(`The configuration has no environment ${unknown}.`);
  const selected = config.environments.filter(({ environment }) => names?.includes(environment) ?? true);
  if (selected.length === 0) throw new Error('environments is missing: list what to report.');
  if (values['dry-run']) return dryRun(config, selected);
  if (values.once || config.interval === null) return reportOnce(config, selected);
  await reportAlways(config, selected, config.interval);
  return true;
}

/** AWS Lambda calls this on a schedule. It fails if a report was not accepted, so that alarms on the schedule count the failure. */
export async function handler(): Promise<void> {
  const config = loadConfig();
  if (!(await reportOnce(config, config.environments)))
    throw new Error('Not every environment was reported: see the log.');
}

// Lambda's runtime loads this file and calls the handler itself.
if (env['AWS_LAMBDA_RUNTIME_API'] === undefined) {
  run().then(
    (ok) => (process.exitCode = ok ? 0 : 1),
    (fault: unknown) => {
      process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`);
      process.exitCode = 1;
    },
  );
}
