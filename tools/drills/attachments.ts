import { randomBytes } from 'node:crypto';
import { ask, each, form, type Service } from '../common/api.ts';
import { hash } from '../common/made-up.ts';
import { caller, ORG, type Stage } from '../common/stage.ts';
import type { Drill } from './drill.ts';

const FLOW = 'attached';
const FILE_BYTES = 20_000;
const FILES = 10;
const trailPath = (trail: string) => `/attestations/{org}/${FLOW}/trail/${trail}`;

/** Attached files: their digests by trail. */
export type Attached = Map<string, string>;

/** Makes the flow of these attestations. */
export async function makeFlow(drill: Drill): Promise<void> {
  await drill.insist('PUT', '/flows/{org}/template_file', form({ name: FLOW }));
}

/** Sends one attestation after another, each with a file. */
export async function attach(drill: Drill, files: Attached, count = FILES): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const content = new Uint8Array(randomBytes(FILE_BYTES));
    const trail = `build-${files.size}`;
    await attachTo(drill, trail, content);
    files.set(trail, hash('sha256', content));
  }
}

/** Sends an attestation with a file. */
export async function attachTo(drill: Drill, trail: string, content: Uint8Array): Promise<void> {
  const data = { attestation_name: 'scan', is_compliant: true };
  const body = form(data, { file: ['attachment_file', 'scan.bin', content as Uint8Array<ArrayBuffer>] });
  await drill.insist('POST', `${trailPath(trail)}/generic`, body);
}

/** Downloads the file of a trail's newest attestation. */
export async function evidenceOf(service: Service, trail: string) {
  const { text } = await ask(service, 'GET', `${trailPath(trail)}/scan`);
  const [attestation] = JSON.parse(text) as { attestation_id: string }[];
  const id = attestation?.attestation_id ?? '';
  const path = `${trailPath(trail).replace('{org}', ORG)}/attestation/${id}/evidence`;
  const headers = { authorization: `Bearer ${service.key}` };
  const answer = await fetch(`${service.url}/api/v2${path}`, { headers });
  const tar = new Uint8Array(await answer.arrayBuffer());
  return { id, status: answer.status, tar, digest: hash('sha256', tar.subarray(512, 512 + FILE_BYTES)) };
}

/** How many of the files a stage gives back unchanged. The others are wrong. */
export async function keptFiles(drill: Drill, restored: Stage, files: Attached): Promise<number> {
  const service = caller(restored, 'reader');
  let kept = 0;
  await each([...files], async ([trail, digest]) => {
    const same = (await evidenceOf(service, trail)).digest === digest;
    drill.expect(same, `the backup lacks the file of ${trail}`);
    if (same) kept += 1;
  });
  return kept;
}
