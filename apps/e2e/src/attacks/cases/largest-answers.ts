import { createHash } from 'node:crypto';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { VulnerabilityList } from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import { routes } from '@assurance/contracts/http/routes/routes';
import type { Caller } from '../../support/caller';
import { keyOf, type Role } from '../../support/declared';
import { eventually } from '../../support/eventually';
import { artifact, attach, digest, flow, policy, post, PROVENANCE, sha1 } from '../../support/samples';
import type { Attack, Target } from '../attack';
import { formOf } from '../endless';
import { largeEnvironment } from '../large-environment';
import { ATTACKED, type AttackCoverage } from '../largest-answers';
import { OTHERS, readAtOnce } from '../readers';

const ATTESTATIONS = 16;
const ARTIFACTS = 8;
/** Slow readers at once, and fast ones. */
const SLOW = 40;
const FAST = 6;
const DAY = 86_400;
/** Components of a bill of materials, and the name of a tenth of them. */
const COMPONENTS = 20_000;
const COMPONENT = 'largest';
/** For how long at most these are compared with vulnerabilities (milliseconds). */
const COMPARED_MS = 180_000;

/** As much as `user_data` may be, in few values and in many. */
const BYTES = { text: 'x'.repeat(200 * 1024) };
const VALUES = Array.from({ length: 4_000 }, (_, i) => ({ [`n${i}`]: i }));

/** Trails, attestations, artifacts, packages, evidence, searches and lists: with the largest things that one key can store in some seconds. */
export const attack: Attack = {
  name: `${SLOW} clients read trails, evidence, packages, searches, lists and metrics slowly`,
  prepare: async (target) => {
    const lists = await pathsOf(target);
    checkPaths(lists.flat());
    return {
      probe: OTHERS,
      run: async () => {
        for (const paths of lists) {
          await untilFree(target);
          await readAtOnce(target, { paths, slow: SLOW, fast: FAST });
        }
      },
    };
  },
};

/** Waits until the service makes a large answer for the reader. It first ends answers that it was making for readers who left. */
async function untilFree({ url }: Target): Promise<void> {
  const headers = { authorization: `Bearer ${keyOf('reader')}` };
  const status = async () => {
    const answer = await fetch(`${url}/api/v2/flows/acme`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  const last = await eventually(status, (one) => one === 200);
  if (last !== 200) throw new Error(`the reader was answered ${last}`);
}

/** The paths in groups that are attacked one after the other. */
async function pathsOf(target: Target): Promise<readonly string[][]> {
  const member = target.as('member');
  const env = await largeEnvironment(target);
  const name = await flow(member);
  const fingerprints = await artifactsIn(member, name, env);
  const [fingerprint = ''] = fingerprints;
  await evidenceIn(member, name, fingerprint);
  await componentsIn(member, name, fingerprint);
  await vulnerabilitiesIn(target);
  const decisions = await decisionsIn(target, name);
  const attested = await member.get<AttestationAnswer[]>(`/attestations/acme/${name}/trail/build/one-0`);
  const id = attested.find(({ attachments }) => attachments.length > 0)?.attestation_id;
  const policyName = await policy(member, PROVENANCE);
  await attach(member, env, policyName);
  const [repo] = await reposOf(member);
  const now = Math.floor(Date.now() / 1_000);
  const window = (i: number) => `start_ts=${now - 300 * DAY - 997 * i}&end_ts=${now - 61 * i}`;
  const trail = `/trails/acme/${name}/build`;
  const ofArtifact = `/artifacts/acme/${name}/fingerprint/${fingerprint}`;
  return [
    [trail, '/trails/acme?per_page=100', `/trails/acme/${name}?per_page=100`],
    [
      `/attestations/acme?flow_name=${name}&per_page=100`,
      `/attestations/acme/${name}?per_page=500`,
      `/attestations/acme/${name}/trail/build/one-0`,
      `/attestations/acme/${name}/artifact/${fingerprint}/one-0`,
      '/artifacts/acme?per_page=100',
      `/artifacts/acme/${name}?per_page=100`,
      ofArtifact,
      `/artifacts/acme/${name}/commit_sha/${sha1(fingerprint)}`,
      `/search/acme/sha/${sha1(fingerprint)}`,
      `/asserts/acme/fingerprint/${fingerprint}?environment_name=${env}`,
      `${decisions.list}?per_page=100`,
      decisions.one,
    ],
    [
      `/components/acme?name=${COMPONENT}&per_page=100`,
      `/components/acme?name=${COMPONENT}&range=%3E%3D0&environment=${env}&per_page=100`,
      `/components/acme/artifacts/${fingerprint}?per_page=100`,
      `/components/acme/environments/${env}?per_page=100`,
      `/components/acme/compare?snappish1=${env}%231&snappish2=${env}&per_page=100`,
    ],
    [
      '/vulnerabilities/acme?per_page=100',
      `/vulnerabilities/acme?environment=${env}&per_page=100`,
      `/vulnerabilities/acme/exposure/${env}`,
      '/vulnerabilities/acme/large-0?per_page=100',
      `/vulnerabilities/acme/artifacts/${fingerprint}?per_page=100`,
    ],
    [
      `${trail}/audit_package`,
      `${trail}/audit_pdf`,
      `${ofArtifact}/audit_package`,
      `/artifacts/acme/${name}/${fingerprint}/audit_package`,
      `/attestations/acme/${name}/trail/build/attestation/${id}/audit_package`,
      `/attestations/acme/${name}/trail/build/attestation/${id}/evidence`,
    ],
    [
      ...Array.from({ length: 20 }, (_, i) => `/deployments/acme/metrics?${window(i)}`),
      ...Array.from({ length: 20 }, (_, i) => `/search/acme/sha/${digest(`${env} ${100 + i}`).slice(0, 5)}`),
      ...['environment', 'repository'].map((by) => `/deployments/acme/figures?by=${by}&${window(0)}`),
      `/environments/acme/${env}/events?per_page=100`,
      `/environments/acme/${env}/auditlog`,
      `/deployments/acme?start_ts=0&end_ts=${now}&per_page=50`,
      `/deployments/acme/detailed?start_ts=0&end_ts=${now}&per_page=50`,
      `/snapshots/acme/${env}?per_page=50`,
      ...['flows', 'environments', 'repos', 'policies', 'custom-attestation-types'].map((list) => `/${list}/acme`),
      `/policies/acme/${policyName}`,
      ...['tags', 'filter-options', `live-artifacts/any?id=${repo?.id}`].map((read) => `/repos/acme/${read}`),
      `/repos/acme/${repo?.id}/deployment-statistics?start_ts=0`,
      '/builds/acme/statistics?start_ts=0',
      `/repos/acme/${repo?.id}/deployments?start_ts=0&end_ts=${now}&per_page=50`,
      `/allowlists/acme/${env}?per_page=100`,
      '/allowlists/acme',
    ],
  ];
}

async function reposOf(member: Caller): Promise<readonly { readonly id: string }[]> {
  const body = await member.get<{ readonly repos?: { readonly id: string }[] } | { readonly id: string }[]>(
    '/repos/acme',
  );
  return Array.isArray(body) ? body : (body.repos ?? []);
}

/** @throws Error where the list says that a route is attacked here, and no path is one of that route */
function checkPaths(paths: readonly string[]): void {
  for (const [id, attacked] of Object.entries<AttackCoverage>(ATTACKED)) {
    if (!('by' in attacked) || attacked.by !== 'largest-answers') continue;
    const { path } = routes[id as keyof typeof routes];
    const template = path
      .replace('/api/v2', '')
      .replace(/\{\w+\.\.\.\}/g, '.+')
      .replace(/\{\w+\}/g, '[^/]+');
    if (!paths.some((path) => new RegExp(`^${template}(\\?|$)`).test(path))) throw new Error(`no path reads ${id}`);
  }
}

async function artifactsIn(member: Caller, flowName: string, env: string): Promise<string[]> {
  const all = Array.from({ length: ARTIFACTS }, (_, i) => digest(`${env} ${flowName} ${i}`));
  for (const [i, fingerprint] of all.entries()) {
    const body = artifact(fingerprint, { user_data: i % 2 === 0 ? BYTES : VALUES, trail_name: 'build' });
    await post(member, flowName, body);
  }
  return all;
}

/** Decisions on a control with large data: the path of their list and of the newest one. */
async function decisionsIn(target: Target, flowName: string): Promise<{ readonly list: string; readonly one: string }> {
  const member = target.as('member');
  const control = `${flowName}-control`;
  await target.as('admin').expect(201, 'POST', '/controls/acme', { json: { identifier: control, name: control } });
  for (let i = 0; i < ARTIFACTS; i += 1) {
    const decided = { type_name: 'decision', control, attestation_data: { is_compliant: true } };
    const form = formOf({ ...decided, attestation_name: `decided-${i}`, user_data: i % 2 === 0 ? BYTES : VALUES });
    await member.expect(201, 'POST', `/attestations/acme/${flowName}/trail/build/system`, { form });
  }
  const list = `/controls/acme/${control}/decisions`;
  const { decisions } = await member.get<{ readonly decisions: readonly AttestationAnswer[] }>(list);
  return { list, one: `${list}/${decisions[0]?.attestation_id}` };
}

/** A bill of materials of an artifact, with as many components as are recorded. */
async function componentsIn(member: Caller, flowName: string, fingerprint: string): Promise<void> {
  const components = Array.from({ length: COMPONENTS }, (_, i) => ({
    name: i % 10 === 0 ? COMPONENT : `lib-${i}`,
    version: `1.0.${i}`,
    purl: `pkg:generic/lib-${i}@1.0.${i}`,
    licenses: [{ license: { name: 'A licence with a long name' } }],
  }));
  const bom = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components });
  const attestation_data = { original_fingerprint: createHash('sha256').update(bom).digest('hex') };
  const form = formOf({
    attestation_name: 'bom',
    type_name: 'sbom',
    attestation_data,
    artifact_fingerprint: fingerprint,
  });
  form.append('attachment_file', new Blob([bom]), 'bom.json');
  await member.expect(201, 'POST', `/attestations/acme/${flowName}/trail/build/system`, { form });
}

/** Vulnerabilities of many components, each with as many names as it may have. */
async function vulnerabilitiesIn(target: Target): Promise<void> {
  const affected = Array.from({ length: 1_000 }, (_, i) => ({
    package: { ecosystem: 'generic', name: `lib-${i}` },
    versions: [`1.0.${i}`],
  }));
  const entries = Array.from({ length: 20 }, (_, n) => ({
    id: `large-${n}`,
    modified: '2024-01-01T00:00:00Z',
    affected,
    summary: 'long '.repeat(200),
    aliases: Array.from({ length: 100 }, (__, i) => `large-${n}-${i}-${'x'.repeat(200)}`),
  }));
  const form = formOf({});
  form.append('attachment_file', new Blob([JSON.stringify(entries)]), 'db.json');
  await target.as('admin').expect(201, 'POST', '/vulnerabilities/acme', { form });
  await Promise.all((['admin', 'member'] as const).map((role) => untilCompared(target, role)));
}

/** Waits until the list of vulnerabilities has what this role wrote, and the import. That takes longer than a `Caller` waits. */
async function untilCompared({ url }: Target, role: Role): Promise<void> {
  const headers = { authorization: `Bearer ${keyOf(role)}` };
  const isCompared = async () => {
    const answer = await fetch(`${url}/api/v2/vulnerabilities/acme?per_page=1`, { headers });
    const list = (await answer.json()) as Partial<VulnerabilityList>;
    return answer.ok && !answer.headers.has('x-assurance-behind') && Boolean(list.last_import);
  };
  if (!(await eventually(isCompared, Boolean, COMPARED_MS))) throw new Error('components were not compared');
}

/** Attestations of a trail and of an artifact, with large data and attachments. */
async function evidenceIn(member: Caller, flowName: string, fingerprint: string): Promise<void> {
  const path = `/attestations/acme/${flowName}/trail/build/generic`;
  for (let i = 0; i < ATTESTATIONS; i += 1) {
    const of = i % 2 === 0 ? {} : { artifact_fingerprint: fingerprint };
    const form = formOf({
      attestation_name: `one-${i - (i % 2)}`,
      is_compliant: true,
      user_data: i % 4 < 2 ? BYTES : VALUES,
      ...of,
    });
    if (i === 0) form.append('attachment_file', new Blob([new Uint8Array(24 * 1024 * 1024)]), 'scan.bin');
    await member.expect(201, 'POST', path, { form });
  }
}
