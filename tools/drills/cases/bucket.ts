import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { each, first, range } from '../../common/api.ts';
import { stop } from '../../common/command.ts';
import { hash } from '../../common/made-up.ts';
import { root } from '../../common/root.ts';
import { caller, operate } from '../../common/stage.ts';
import { attach, type Attached, attachTo, evidenceOf, keptFiles, makeFlow } from '../attachments.ts';
import { audit } from '../audit.ts';
import type { Outcome } from '../cases.ts';
import type { Drill } from '../drill.ts';

/** The page that says how long a restore of the bucket takes, and its words. */
const PAGE = join(root, 'docs/operating/reliability.md');
const BOUND = /Attachments can be read again within (\d+) s/;
/** Files that are attached after the backup, which the restore loses. */
const LATER = 5;
const FILE_BYTES = 20_000;
/** How long to wait for the restored bucket (milliseconds). */
const PATIENCE_MS = 120_000;

/**
 * The bucket is restored from a backup that is older than MongoDB. Files from before the backup are there, each later one is named as lost, and comes
 * back when the same file is attached again; new files and reports are accepted.
 */
export async function bucketRestored(drill: Drill): Promise<Outcome> {
  const { stage } = drill;
  const bucket = stage.bucket ?? stop('this drill needs a bucket');
  const data = join(bucket.folder, 'data');
  const copy = join(stage.folder, 'bucket-backup');
  await makeFlow(drill);
  const files: Attached = new Map();
  await attach(drill, files);
  // Nothing is attached meanwhile.
  cpSync(data, copy, { recursive: true });
  const backedUp = performance.now();
  const later = range(LATER).map((i) => ({ trail: `later-${i}`, content: new Uint8Array(randomBytes(FILE_BYTES)) }));
  await each(later, ({ trail, content }) => attachTo(drill, trail, content));

  const lost = performance.now();
  await bucket.kill();
  rmSync(data, { recursive: true });
  cpSync(copy, data, { recursive: true });
  await bucket.start();
  await bucket.ready();
  const service = caller(stage, 'reader');
  const [[trail, digest] = ['', '']] = files;
  while ((await evidenceOf(service, trail)).digest !== digest) {
    if (performance.now() - lost > PATIENCE_MS) stop('the attachments cannot be read again');
  }
  const again = (performance.now() - lost) / 1_000;
  const kept = await keptFiles(drill, stage, files);

  const verified = await operate(first(stage.ingestion), 'verify').then(
    () => '',
    (fault: unknown) => String((fault as { readonly stdout?: unknown }).stdout),
  );
  drill.expect(verified.startsWith(`${LATER} faults in `), `verify does not name the ${LATER} lost files: ${verified}`);
  await each(later, async ({ trail: one, content }) => {
    const { id, status, tar } = await evidenceOf(service, one);
    const text = new TextDecoder().decode(tar);
    const sha256 = hash('sha256', content);
    const plain = status === 404 && text.includes(`'scan.bin' of attestation '${id}' is lost`) && text.includes(sha256);
    drill.expect(plain, `the lost file of ${one} is answered ${status}: ${text.slice(0, 300)}`);
    await attachTo(drill, one, content);
    drill.expect((await evidenceOf(service, one)).digest === sha256, `${one} attached again cannot be read`);
  });
  await attach(drill, files, 1);
  await keptFiles(drill, stage, files);
  // The records lost nothing.
  await drill.load();
  await drill.more();
  await drill.unload();
  const counts = await audit(drill);

  const bound = Number(BOUND.exec(readFileSync(PAGE, 'utf8'))?.[1]);
  drill.expect(again <= bound, `attachments can be read again after ${again.toFixed(1)} s; the page says ${bound} s`);
  rmSync(copy, { recursive: true });
  const point = ((lost - backedUp) / 1_000).toFixed(1);
  const gone = `${LATER} files since the backup were lost and attached again, ${kept} are kept`;
  return { counts, note: `RPO ${point} s: ${gone}; RTO ${again.toFixed(1)} s of ${bound} s` };
}
