import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ask, each, first, form } from '../../common/api.ts';
import { Instance } from '../../common/instance.ts';
import { caller, operate, ORG, rolesOf, type Stage } from '../../common/stage.ts';
import { audit } from '../audit.ts';
import { Drill } from '../drill.ts';

const FLOW = 'backed-up';
const FILE_BYTES = 20_000;
const FILES = 10;
const hash = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * Backs up the data folder while clients report and attach files, starts a service on the copy, and checks that it has everything that was
 * acknowledged before the backup began.
 */
export async function backedUp(drill: Drill): Promise<string> {
  const { stage } = drill;
  const service = first(stage.ingestion);
  await drill.insist('PUT', '/flows/{org}/template_file', form({ name: FLOW }));
  const told: string[] = [];
  const files = new Map<string, string>();
  for (let i = 1; i <= drill.size.times; i += 1) {
    await Promise.all([drill.more(40), attach(drill, files)]);
    const before = new Map([...drill.acknowledged].map(([name, fingerprints]) => [name, [...fingerprints]]));
    const [count, attached] = [drill.count, new Map(files)];
    const to = join(stage.folder, `backup-${i}`);
    let over = false;
    const attaching = (async () => {
      while (!over) await attach(drill, files, 1);
    })();
    await drill.during(operate(service, 'backup', to));
    over = true;
    const meanwhile = drill.count - count;
    await attaching;
    await drill.more(5);
    // As after the loss of a machine.
    const copy = new Instance('standalone', stage.folder, { ...stage.env, ASSURANCE_DATA_DIR: to });
    await copy.start();
    try {
      const restored = { ...stage, ...rolesOf(copy) };
      const { found, doubled, lost } = await audit(seenBy(drill, restored), before, 0);
      drill.expect(doubled === 0, `${doubled} deployments are there twice in the backup`);
      drill.expect(lost === 0, `the backup lacks ${lost} reports`);
      const kept = await keptFiles(drill, restored, attached);
      await operate(copy, 'verify').catch((fault: unknown) => drill.expect(false, `verify of the backup: ${fault}`));
      told.push(`${found} reports and ${kept} files, ${meanwhile} more acknowledged meanwhile`);
    } finally {
      await copy.stop();
    }
  }
  return `restored ${told.join('; ')}`;
}

/** A view of another stage that tells this drill what is wrong. */
function seenBy(drill: Drill, stage: Stage): Drill {
  const other = new Drill(stage, drill.size);
  for (const [name, fingerprints] of drill.acknowledged) other.acknowledged.set(name, fingerprints);
  return Object.assign(other, { wrong: drill.wrong });
}

/** Sends one attestation after another, each with a file. */
async function attach(drill: Drill, files: Map<string, string>, count = FILES): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const content = new Uint8Array(randomBytes(FILE_BYTES));
    const trail = `build-${files.size}`;
    const data = { attestation_name: 'scan', is_compliant: true };
    const body = form(data, { file: ['attachment_file', 'scan.bin', content] });
    await drill.insist('POST', `/attestations/{org}/${FLOW}/trail/${trail}/generic`, body);
    files.set(trail, hash(content));
  }
}

async function keptFiles(drill: Drill, restored: Stage, files: ReadonlyMap<string, string>): Promise<number> {
  const service = caller(restored, 'reader');
  let kept = 0;
  await each([...files], async ([trail, digest]) => {
    const path = `/attestations/{org}/${FLOW}/trail/${trail}`;
    const { text } = await ask(service, 'GET', `${path}/scan`);
    const [attestation] = JSON.parse(text) as { attestation_id: string }[];
    const evidence = `${path.replace('{org}', ORG)}/attestation/${attestation?.attestation_id}/evidence`;
    const headers = { authorization: `Bearer ${service.key}` };
    const answer = await fetch(`${service.url}/api/v2${evidence}`, { headers });
    const tar = new Uint8Array(await answer.arrayBuffer());
    const same = hash(tar.subarray(512, 512 + FILE_BYTES)) === digest;
    drill.expect(same, `the backup lacks the file of ${trail}`);
    if (same) kept += 1;
  });
  return kept;
}
