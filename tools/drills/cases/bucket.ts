import { randomBytes } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ask, each, first, form, range, until } from '../../common/api.ts';
import { stop } from '../../common/command.ts';
import { caller, ORG } from '../../common/stage.ts';
import { audit } from '../audit.ts';
import type { Outcome } from '../cases.ts';
import type { Drill } from '../drill.ts';

/** What the page says of a restore of the bucket. */
const BOUND = /Attachments can be read again within (\d+) s/;
/** How long to wait for the restored bucket (milliseconds). */
const PATIENCE_MS = 120_000;
const FILE_BYTES = 20_000;
const TRAILS = '/attestations/{org}/attached/trail';

/** Files by the trail of their attestation. */
type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
const filesOf = (name: string, count: number): Files =>
  new Map(range(count).map((i) => [`${name}-${i}`, new Uint8Array(randomBytes(FILE_BYTES))]));

/**
 * The bucket is restored from a backup that is older than MongoDB. Files from before the backup are there, each later one is there again when the same
 * file is attached again, and new files and reports are accepted.
 */
export async function bucketRestored(drill: Drill): Promise<Outcome> {
  const { stage } = drill;
  const bucket = stage.bucket ?? stop('this drill needs a bucket');
  const copy = join(stage.folder, 'bucket-backup');
  const [before, later, after] = [filesOf('before', 10), filesOf('later', 5), filesOf('after', 1)];
  await drill.insist('PUT', '/flows/{org}/template_file', form({ name: 'attached' }));
  await attach(drill, before);
  // Nothing is attached meanwhile.
  cpSync(bucket.data, copy, { recursive: true });
  const backedUp = performance.now();
  await attach(drill, later);

  const lost = performance.now();
  await bucket.restore(copy);
  const readable = await until(() => isThere(drill, first([...before])), PATIENCE_MS, 0);
  const again = (performance.now() - lost) / 1_000;
  drill.expect(readable, 'the attachments cannot be read again');

  const all = [...before, ...later, ...after];
  for (const files of [later, after]) await attach(drill, files);
  await each(all, async (file) => drill.expect(await isThere(drill, file), `the file of ${file[0]} is not there`));
  // The records lost nothing.
  await drill.load();
  await drill.more();
  await drill.unload();
  const counts = await audit(drill);

  const bound = drill.expectWithin(again, BOUND);
  rmSync(copy, { recursive: true });
  const point = ((lost - backedUp) / 1_000).toFixed(1);
  const gone = `${later.size} files since the backup were lost and attached again, ${before.size} are kept`;
  return { counts, note: `RPO ${point} s: ${gone}; RTO ${again.toFixed(1)} s of ${bound} s` };
}

/** Sends an attestation with each file. */
async function attach(drill: Drill, files: Files): Promise<void> {
  await each([...files], async ([trail, content]) => {
    const data = { attestation_name: 'scan', is_compliant: true };
    const body = form(data, { file: ['attachment_file', 'scan.bin', content] });
    await drill.insist('POST', `${TRAILS}/${trail}/generic`, body);
  });
}

/** Whether the file of a trail's newest attestation is downloaded as it was attached. */
async function isThere({ stage }: Drill, [trail, content]: readonly [string, Uint8Array]): Promise<boolean> {
  const service = caller(stage, 'reader');
  const { text } = await ask(service, 'GET', `${TRAILS}/${trail}/scan`);
  const [attestation] = JSON.parse(text) as { attestation_id: string }[];
  const path = `${TRAILS.replace('{org}', ORG)}/${trail}/attestation/${attestation?.attestation_id}/evidence`;
  const headers = { authorization: `Bearer ${service.key}` };
  const answer = await fetch(`${service.url}/api/v2${path}`, { headers });
  return Buffer.from(await answer.arrayBuffer()).includes(Buffer.from(content));
}
