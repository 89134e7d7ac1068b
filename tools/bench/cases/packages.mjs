import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { against } from '../measure/against.mjs';
import { memory } from '../measure/process.mjs';
import { alternate } from '../measure/rounds.mjs';
import { ORG, startService } from '../measure/service.mjs';
import { spread } from '../measure/stats.mjs';

const MB = 1_000_000;
/** The evidence in one file. */
const FILE_MB = 10;
const TRAIL = 'build-1';
const SAMPLE_MS = 20;
/** The same compression level as the service's. */
const LEVEL = 6;

/** Compares the audit package of a trail with `tar` and `gzip` on the same files. Figures are megabytes of evidence. */
export async function packages({ rounds, evidence, say }) {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-bench-evidence-'));
  const service = await startService();
  try {
    for (let i = 0; i * FILE_MB < evidence; i += 1) {
      const content = results(i, Math.min(FILE_MB, evidence) * MB);
      writeFileSync(join(folder, `${i}.xml`), content);
      await attest(service, `tests-${i}`, content);
    }
    const grown = [];
    const download = async () => {
      const before = memory(service.pid).now;
      let most = before;
      const sampler = setInterval(() => (most = Math.max(most, memory(service.pid).now)), SAMPLE_MS);
      try {
        const figure = await timed(() => received(service));
        grown.push(most - before);
        return figure;
      } finally {
        clearInterval(sampler);
      }
    };
    // The first read fills the caches of both.
    await Promise.all([received(service), tarAndGzip(folder)]);
    const timed = async (run) => {
      const begun = performance.now();
      const more = await run();
      const seconds = (performance.now() - begun) / 1000;
      const figures = { requests: evidence, perSecond: evidence / seconds, p50: seconds * 1000, p99: seconds * 1000 };
      return { ...figures, ...more };
    };
    const all = await alternate(
      { rounds, say },
      {
        package: { pid: service.pid, run: download },
        tar: { pid: process.pid, run: () => timed(() => tarAndGzip(folder)) },
      },
    );
    const name = `audit package of ${evidence} MB of evidence (MB; p50 is the whole)`;
    return { name, rival: 'tar and gzip', ...against(all, 'package', 'tar'), grown: spread(grown), rounds: all };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

/** A file of test results that compresses like real ones. */
function results(seed, bytes) {
  const lines = [];
  for (let length = 0, i = 0; length < bytes; i += 1) {
    const id = createHash('sha256').update(`${seed}/${i}`).digest('hex');
    const line = `  <testcase classname="shop.checkout.Suite${i % 97}" name="case ${id.slice(0, 24)}" time="0.${i % 1000}"/>\n`;
    lines.push(line);
    length += line.length;
  }
  return Buffer.from(lines.join('')).subarray(0, bytes);
}

async function attest({ url, writer }, name, content) {
  const form = new FormData();
  form.set('data_json', JSON.stringify({ attestation_name: name, is_compliant: true }));
  form.append('attachment_file', new Blob([content]), 'results.xml');
  const path = `/api/v2/attestations/${ORG}/shop/trail/${TRAIL}/generic`;
  const answer = await fetch(url + path, { method: 'POST', headers: authorized(writer), body: form });
  if (answer.status !== 201) throw new Error(`evidence was answered ${answer.status}: ${await answer.text()}`);
}

async function received({ url, reader }) {
  const path = `/api/v2/trails/${ORG}/shop/${TRAIL}/audit_package`;
  const answer = await fetch(url + path, { headers: authorized(reader) });
  if (answer.status !== 200) throw new Error(`a package was answered ${answer.status}: ${await answer.text()}`);
  let bytes = 0;
  for await (const piece of answer.body) bytes += piece.length;
  return { bytes };
}

/** @returns also the CPU of both commands (seconds) */
async function tarAndGzip(folder) {
  const command = `set -o pipefail; tar -cf - -C "$0" . | gzip -${LEVEL} > /dev/null && times`;
  const { stdout } = await promisify(execFile)('bash', ['-c', command, folder]);
  const ofChildren = stdout.trim().split('\n').at(-1) ?? '';
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => 60 * Number(m) + Number(s));
  return { cpuSeconds: seconds.reduce((a, b) => a + b, 0) };
}

function authorized(key) {
  return { authorization: `Bearer ${key}` };
}
