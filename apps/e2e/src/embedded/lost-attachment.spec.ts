import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import { BOOTSTRAP } from '../support/declared';
import { Place, type Process } from '../support/process';
import { flow } from '../support/samples';
import { worldOf } from '../support/world';

const START_MS = 90_000;

describe('an attachment whose content is lost', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  /** The exit code and the output of the command, as an operator gives it. @param service null: none runs */
  async function verify(service: Process | null): Promise<readonly [code: number | null, text: string]> {
    const [, port = '0'] = / {2}operations +http:\S+:(\d+)\n/.exec(service?.out ?? '') ?? [];
    const command = place.start({ ASSURANCE_OPERATIONS_PORT: port }, [], 'operate', ['verify']);
    const code = await command.ended;
    return [code, command.out + command.err];
  }

  it(
    'is named by verify and a plain answer, alone and in packages, and is there again once it was attached again',
    async () => {
      const service = place.start({ ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP) });
      const member = (await worldOf({ url: await service.url() })).as('member');
      const content = 'all 12 tests passed\n';
      const sha256 = createHash('sha256').update(content).digest('hex');
      const path = `/attestations/acme/${await flow(member)}/trail/build-1`;
      const attach = () => {
        const form = new FormData();
        form.set('data_json', JSON.stringify({ attestation_name: 'tests', is_compliant: true }));
        form.append('attachment_file', new Blob([content]), 'junit.xml');
        return member.expect(201, 'POST', `${path}/generic`, { form });
      };
      await attach();
      const [attestation] = await member.get<AttestationAnswer[]>(`${path}/tests`);
      const own = `${path}/attestation/${attestation!.attestation_id}`;
      expect((await member.bytes(`${own}/evidence`)).content.includes(content)).toBe(true);
      expect(await verify(service)).toEqual([0, expect.stringContaining('with the attachment that they name')]);

      const blobs = join(place.folder, 'data/blobs');
      const files = readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(sha256));
      expect(files).toHaveLength(1);
      rmSync(join(blobs, files[0]!));
      const result =
        `the attachment "junit.xml" (SHA-256 ${sha256}) of attestation ${attestation!.attestation_id} ("tests") of trail "build-1" is lost: ` +
        'the store of attachments does not have its content\n';
      expect(await verify(service)).toEqual([1, expect.stringContaining(result)]);

      const message =
        `The attachment 'junit.xml' of attestation '${attestation!.attestation_id}' is lost: the store of attachments does not have its content ` +
        `(SHA-256 ${sha256}). Restore the store to a later moment, or attach the same file again`;
      for (const route of ['evidence', 'audit_package']) {
        const { status, body } = await member.send('GET', `${own}/${route}`);
        expect([status, body]).toEqual([404, { message }]);
      }
      expect((await member.get<AttestationAnswer[]>(`${path}/tests`))[0]).toMatchObject({ attachments: [{ sha256 }] });

      await attach();
      expect((await member.bytes(`${own}/evidence`)).content.includes(content)).toBe(true);
      await member.bytes(`${own}/audit_package`);
      expect(await service.stop()).toBe(0);
      // Of a folder that no service has open.
      expect(await verify(null)).toEqual([0, expect.stringContaining('with the 2 attachments that they name')]);
      rmSync(join(blobs, files[0]!));
      expect(await verify(null)).toEqual([1, expect.stringContaining(result)]);
    },
    START_MS,
  );
});
