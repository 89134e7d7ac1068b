import { setTimeout as sleep } from 'node:timers/promises';
import { VERSION } from '@assurance/kernel';
import { podsOf } from './pods';
import { reportOf } from './report';
import { type Answer, ask } from './request';
import { readSettings, type Settings } from './settings';

/** How often a report is sent that the service asks to send again, and how long it waits at most between two tries (seconds). */
const TRIES = 5;
const WAIT_MAX = 15;

/** The life of the reporter: reads what runs in the cluster, reports it once, and ends with 0, or with 1 and a sentence. */
async function run(): Promise<void> {
  if (process.argv.includes('--version')) return void process.stdout.write(`${VERSION}\n`);
  const settings = readSettings(process.env);
  const report = reportOf(await podsOf(settings.cluster, settings.namespaces));
  const { status, text } = await send(settings, JSON.stringify(report));
  if (status < 200 || status > 299) throw new Error(`The service answers ${status}: ${text}`);
  process.stdout.write(`${report.artifacts.length} pods: ${text}\n`);
}

async function send({ url, organization, environment, key }: Settings, body: string): Promise<Answer> {
  const [org, env] = [organization, environment].map(encodeURIComponent);
  const base = url.endsWith('/') ? url : `${url}/`;
  const to = new URL(`api/v2/environments/${org}/${env}/report/K8S`, base);
  for (let tries = 1; ; tries += 1) {
    const answer = await ask({ method: 'PUT', url: to, token: key, body });
    const again = answer.status === 429 || answer.status === 503;
    if (!again || tries === TRIES) return answer;
    await sleep(Math.min(answer.retryAfter ?? 1, WAIT_MAX) * 1_000);
  }
}

run().catch((fault: unknown) => {
  process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = 1;
});
