import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { form, callApi } from '@assurance/web/requests';
import { range } from '../../common/api.ts';
import { temporaryFolder } from '../../common/root.ts';
import { caller, ORG } from '../../common/stage.ts';
import { fingerprintOf } from '../bodies.ts';
import { type Embedded, startEmbedded } from '../embedded.ts';
import { against, alternate, type How, memory, onceIn, type Result, spread } from '../measure.ts';

const MB = 1_000_000;
/** The evidence in one file. */
const FILE_MB = 10;
const SAMPLE_MS = 20;
/** The same compression level as the service's. */
const LEVEL = 6;

/** Compares the audit package of a trail with `tar` and `gzip` on the same files. Figures are megabytes of evidence. */
export async function packages({ evidence, ...how }: How): Promise<Result> {
  const folder = temporaryFolder('bench-evidence');
  await using service = await startEmbedded();
  for (const i of range(Math.ceil(evidence / FILE_MB))) {
    const content = results(i, Math.min(FILE_MB, evidence) * MB);
    writeFileSync(join(folder, `${i}.xml`), content);
    const data = { attestation_name: `tests-${i}`, is_compliant: true };
    const body = form(data, { file: ['attachment_file', 'results.xml', content] });
    await callApi(caller(service), 'POST', '/attestations/{org}/shop/trail/build-1/generic', body);
  }
  const grown: number[] = [];
  const download = async () => {
    const before = memory(service.pid).now;
    let most = before;
    const sampler = setInterval(() => (most = Math.max(most, memory(service.pid).now)), SAMPLE_MS);
    const seconds = await received(service).finally(() => clearInterval(sampler));
    grown.push(most - before);
    return onceIn(seconds, evidence);
  };
  const tar = async () => {
    const begun = performance.now();
    const cpuSeconds = await tarAndGzip(folder);
    return { ...onceIn((performance.now() - begun) / 1_000, evidence), cpuSeconds };
  };
  // The first read fills the caches of both.
  await Promise.all([received(service), tarAndGzip(folder)]);
  const contenders = { package: { pid: service.pid, run: download }, tar: { pid: process.pid, run: tar } };
  const rounds = await alternate(how, contenders);
  const name = `audit package of ${evidence} MB of evidence (MB; p50 is the whole)`;
  const row = { name, rival: 'tar and gzip', ...against(rounds, 'package', 'tar') };
  const goals = [
    { goal: 'audit package: at least 0.9 of tar and gzip', figure: row.ratio, least: 0.9 },
    { goal: 'audit package: takes less than 150 MB of memory more', figure: spread(grown), most: 150 },
  ];
  return { rows: [row], goals, rounds: [rounds] };
}

/** A file of test results that compresses like real ones. */
function results(seed: number, bytes: number): Uint8Array<ArrayBuffer> {
  const lines: string[] = [];
  for (let length = 0, i = 0; length < bytes; i += 1) {
    const id = fingerprintOf(`${seed}/${i}`).slice(0, 24);
    const line = `  <testcase classname="shop.checkout.Suite${i % 97}" name="case ${id}" time="0.${i % 1000}"/>\n`;
    lines.push(line);
    length += line.length;
  }
  return new Uint8Array(Buffer.from(lines.join('')).subarray(0, bytes));
}

/** Receives the package. Returns how long it took (seconds). */
async function received(service: Embedded): Promise<number> {
  const begun = performance.now();
  const { api, headers } = caller(service, 'reader');
  const answer = await fetch(`${api}/trails/${ORG}/shop/build-1/audit_package`, { headers });
  if (answer.status !== 200) throw new Error(`a package was answered ${answer.status}: ${await answer.text()}`);
  for await (const _ of answer.body ?? []);
  return (performance.now() - begun) / 1_000;
}

/** Returns the CPU of both commands (seconds). */
async function tarAndGzip(folder: string): Promise<number> {
  const command = `set -o pipefail; tar -cf - -C "$0" . | gzip -${LEVEL} > /dev/null && times`;
  const { stdout } = await promisify(execFile)('bash', ['-c', command, folder]);
  const ofChildren = stdout.trim().split('\n').at(-1) ?? '';
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => 60 * Number(m) + Number(s));
  return seconds.reduce((a, b) => a + b, 0);
}
