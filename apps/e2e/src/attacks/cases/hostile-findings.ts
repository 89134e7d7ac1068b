import { keyOf } from '../../support/declared';
import { artifact, digest, flow, fresh, post } from '../../support/samples';
import type { Attack, Target } from '../attack';
import { OTHERS } from '../readers';

const TRIES = 10;
const MiB = 1024 * 1024;
/** A caller above its share tries again, and so does one whose report takes long on a shared machine. */
const WAIT = [429, 503];
/** As many findings of one report as are recorded. */
const FINDINGS = 5_000;
/** Reports with texts as long as they may be, and how large each is (bytes). */
const LONG_REPORTS = 4;
const LONG_BYTES = 14 * MiB;
const QUESTIONS = 6;
/** More results than an attestation may have values for: it is refused. */
const TOO_MANY = 750_000;

/** Two bytes a character in memory. */
const LONG = '\u4e2d'.repeat(500);
/** One form that no scanner writes, and one in plain JSON. */
const WILD = ['\u0000\u001b[2J\u007f', '\u202e<script>alert(1)</script>', '=cmd|" /C calc"!A0', '../../%0d%0a'];

const trivy = (vulnerabilities: readonly object[]) => ({
  SchemaVersion: 2,
  ArtifactName: 'web',
  Results: [{ Target: 'web', Vulnerabilities: vulnerabilities }],
});
const inPackage = (VulnerabilityID: string, PkgName: string, fields: object = {}) => ({
  VulnerabilityID,
  PkgName,
  Severity: 'CRITICAL',
  InstalledVersion: '1.0.0',
  ...fields,
});
const sarif = (results: string) =>
  `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x","rules":[]}},"results":[${results}]}]}`;
const many = (count: number, of: (i: number) => unknown) => Array.from({ length: count }, (_, i) => of(i)) as object[];

/** Reports made to do harm, JSON each; `name` stands before what they find. */
function reports(name: string): readonly string[] {
  const long = inPackage(`${name}-L`, LONG, { Title: LONG, FixedVersion: many(20, () => LONG).join() });
  return [
    // One vulnerability in thousands of packages of one artifact: each was compared with each.
    ...[0, 1].map((part) => JSON.stringify(trivy(many(FINDINGS, (i) => inPackage(`${name}-1`, `p${part}-${i}`))))),
    // Many results, and more than an attestation may have values for.
    ...[150_000, TOO_MANY].map((count) => sarif('{"ruleId":"CVE-1"},'.repeat(count).slice(0, -1))),
    // Each is another name of the next, and the last of the first.
    JSON.stringify({
      descriptor: { name: 'grype' },
      matches: many(FINDINGS, (i) => ({
        vulnerability: { id: `${name}-C${i}`, severity: 'High' },
        relatedVulnerabilities: [{ id: `${name}-C${(i + 1) % FINDINGS}` }],
        artifact: { name: 'a', version: '1' },
      })),
    }),
    JSON.stringify(trivy(WILD.map((wild) => inPackage(`${name}${wild}`, wild, { Title: wild, FixedVersion: wild })))),
    ...many(LONG_REPORTS, (part) => {
      const count = Math.floor(LONG_BYTES / Buffer.byteLength(JSON.stringify(long)));
      return trivy(many(count, (i) => ({ ...long, VulnerabilityID: `${name}-L${String(part)}-${i}` })));
    }).map((report) => JSON.stringify(report)),
  ];
}

/** Any writer may send findings of scanners. A read must not keep all of them in memory, nor compare each finding of an artifact with each other. */
export const attack: Attack = {
  name: `reports of scanners come that find one vulnerability in ${2 * FINDINGS} packages, circles, wild texts, and ${(LONG_REPORTS * LONG_BYTES) / MiB} MiB of long ones, and are read`,
  leavesWork: true,
  afresh: true,
  async prepare(target) {
    const member = target.as('member');
    const [flowName, name] = [await flow(member), fresh('FINDING')];
    const fingerprint = digest(fresh('artifact'));
    await post(member, flowName, artifact(fingerprint, { trail_name: 'build-1' }));
    const files = reports(name);
    return {
      probe: OTHERS,
      async run() {
        for (const [i, report] of files.entries()) await attest(target, flowName, fingerprint, `scan-${i}`, report);
        const questions = ['?per_page=100', `/${name}-1?per_page=100`, `/${name}-C1`, `/artifacts/${fingerprint}`];
        await Promise.all(
          Array.from({ length: QUESTIONS }, (_, i) => ask(target, `/vulnerabilities/acme${questions[i % 4]}`)),
        );
      },
    };
  },
};

/** It may take longer than a `Caller` waits. */
async function attest({ url }: Target, flowName: string, fingerprint: string, name: string, report: string) {
  const data = `{"attestation_name":"${name}","artifact_fingerprint":"${fingerprint}","is_compliant":true,"user_data":${report}}`;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const body = new FormData();
    body.set('data_json', data);
    const answer = await fetch(`${url}/api/v2/attestations/acme/${flowName}/trail/build-1/generic`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('member')}` },
      body,
    }).catch(() => null);
    if (answer === null || WAIT.includes(answer.status)) continue;
    const text = await answer.text();
    if (answer.status === 400 && text.includes('Send large files as attachment_file')) return;
    if (answer.status !== 201) throw new Error(`${name} was answered ${answer.status}: ${text.slice(0, 500)}`);
    return;
  }
  throw new Error(`${name} was never taken`);
}

async function ask({ url }: Target, path: string): Promise<void> {
  const answer = await fetch(`${url}/api/v2${path}`, { headers: { authorization: `Bearer ${keyOf('reader')}` } });
  await answer.text();
  if (![200, 400, 404, 429].includes(answer.status)) throw new Error(`${path} was answered ${answer.status}`);
}
