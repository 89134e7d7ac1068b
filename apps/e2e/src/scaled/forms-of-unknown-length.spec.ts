import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { Caller } from '../support/caller';
import { BOOTSTRAP } from '../support/declared';
import { Place, type Process } from '../support/process';
import { fresh } from '../support/samples';
import { servers } from '../support/servers';
import { worldOf } from '../support/world';

const MIB = 1024 * 1024;
/** The limit of the JSON of an attestation. */
const JSON_BYTES = 16 * MIB;
const ATTACHMENT_BYTES = 240 * MIB;
/**
 * What a service may need more for such an attachment than without. One that held it would need this and the JSON. Pieces that wait for the garbage
 * collector take 180 MiB at most, however many and however large attachments are.
 */
const MORE_BYTES = ATTACHMENT_BYTES;
const BOUNDARY = 'the-boundary-of-the-form';

describe('a form of unknown length, through five services on MongoDB and Kafka', () => {
  let place: Place;
  let started: Process[];
  let caller: Caller;
  let url: string;
  beforeAll(async () => {
    place = new Place();
    const env = {
      ...servers(),
      ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
      ASSURANCE_LOG_LEVEL: 'error',
      ASSURANCE_PUBLIC_URL: 'http://localhost:1',
    };
    const ingestion = place.start(env, [], 'ingestion');
    const projection = place.start(env, [], 'projection');
    const auditPackage = place.start(env, [], 'audit-package');
    const dispatcher = place.start(env, [], 'notification-dispatcher');
    const gateway = place.start(
      {
        ...env,
        ASSURANCE_INGESTION_URL: await ingestion.url(),
        ASSURANCE_PROJECTION_URL: await projection.url(),
        ASSURANCE_AUDIT_PACKAGE_URL: await auditPackage.url(),
      },
      [],
      'gateway',
    );
    await dispatcher.url();
    started = [gateway, ingestion];
    url = await gateway.url();
    caller = (await worldOf({ url })).as('member');
  }, 180_000);
  afterAll(() => place.clear());

  /** The most memory that the gateway and ingestion have used so far (bytes). */
  const peaks = () =>
    started.map(({ child }) => {
      const [, kib = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return Number(kib) * 1024;
    });
  const part = (headers: string) => Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`);
  /** Attests with exactly 16 MiB of JSON, and with these pieces as the attachment, which are made as they are sent. */
  const attest = async (flowName: string, attachment: Iterable<Uint8Array>) => {
    const [head, tail] = ['{"attestation_name":"scan","is_compliant":true,"user_data":"', '"}'];
    const data = 'd'.repeat(JSON_BYTES - head.length - tail.length);
    const pieces = function* (): Generator<Uint8Array> {
      yield part('name="data_json"');
      yield Buffer.from(`${head}${data}${tail}\r\n`);
      yield part('name="attachment_file"; filename="scan.bin"');
      yield* attachment;
      yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
    };
    const answer = await fetch(`${url}/api/v2/attestations/acme/${flowName}/trail/build-1/generic`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer acme-member-key',
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      },
      body: ReadableStream.from(pieces()) as unknown as RequestInit['body'],
      duplex: 'half',
    } as RequestInit);
    expect([answer.status, await answer.text()]).toEqual([201, '"OK"']);
    return data;
  };

  it('is recorded byte for byte, in memory that does not grow with its attachment', async () => {
    await attest(fresh('flow'), [randomBytes(1_000)]);
    const before = peaks();
    const [flowName, some] = [fresh('flow'), randomBytes(MIB)];
    const sent = createHash('sha256');
    const attachment = function* () {
      for (let i = 0; i < ATTACHMENT_BYTES / MIB; i += 1) {
        const piece = Buffer.from(some);
        piece.writeUInt32BE(i);
        sent.update(piece);
        yield piece;
      }
    };
    const data = await attest(flowName, attachment());
    for (const [i, peak] of peaks().entries()) expect(peak - before[i]!).toBeLessThan(MORE_BYTES);

    const path = `/attestations/acme/${flowName}/trail/build-1`;
    const [attestation] = await caller.get<AttestationAnswer[]>(`${path}/scan`);
    expect(attestation?.user_data === data).toBe(true);
    const sha256 = sent.digest('hex');
    expect(attestation?.attachments).toEqual([{ filename: 'scan.bin', sha256, size: ATTACHMENT_BYTES }]);
    const { content } = await caller.bytes(`${path}/attestation/${attestation?.attestation_id}/evidence`);
    // A tar file: a header of 512 bytes, then the content.
    const storedPart = content.subarray(512, 512 + ATTACHMENT_BYTES);
    expect(createHash('sha256').update(storedPart).digest('hex')).toBe(sha256);
  }, 180_000);
});
