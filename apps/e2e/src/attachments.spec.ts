import { createHash, randomBytes } from 'node:crypto';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import { flow, flowForm, fresh } from './support/samples';
import { onOwnServices } from './support/world';

const LIMIT = 200_000;
const REMEDY =
  'Send large files as attachment_file, which have a limit of their own. Compress them, or divide them between attestations';
const PACK = 'Pack them into one archive, or divide them between attestations';
const FIELDS = 'Send no others than the documented ones';
const SETTINGS = { ASSURANCE_MAX_ATTACHMENT_BYTES: String(LIMIT), ASSURANCE_MAX_BODY_BYTES: '65536' };

onOwnServices((world) => {
  const caller = () => world().as('member');
  const formOf = (data: unknown, ...files: readonly Uint8Array[]) => {
    const form = new FormData();
    form.set('data_json', JSON.stringify(data));
    for (const file of files) form.append('attachment_file', new Blob([file as never]), 'a.bin');
    return form;
  };
  const data = { attestation_name: 'one', is_compliant: true };
  const pathOf = (flowName: string) => `/attestations/acme/${flowName}/trail/build-1`;
  const tooLarge = {
    message: `The attachments are larger than the limit of ${LIMIT} bytes. Compress them, or divide them between attestations`,
  };

  it('accepts attachments above the limit of bodies, up to their own limit', async () => {
    const path = pathOf(await flow(caller()));
    const most = randomBytes(LIMIT);
    await caller().expect(201, 'POST', `${path}/generic`, { form: formOf(data, most) });
    const [attestation] = await caller().get<AttestationAnswer[]>(`${path}/one`);
    const sha256 = createHash('sha256').update(most).digest('hex');
    expect(attestation?.attachments).toEqual([{ filename: 'a.bin', sha256, size: LIMIT }]);
    const evidence = await caller().bytes(`${path}/attestation/${attestation?.attestation_id}/evidence`);
    expect(evidence.content.subarray(512, 512 + LIMIT).equals(most)).toBe(true);

    const over = await caller().send('POST', `${path}/generic`, { form: formOf(data, randomBytes(LIMIT + 1)) });
    expect([over.status, over.body]).toEqual([413, tooLarge]);
    const two = await caller().send('POST', `${path}/generic`, { form: formOf(data, most, randomBytes(10)) });
    expect([two.status, two.body]).toEqual([413, tooLarge]);
    expect(await caller().get<unknown[]>(`${path}/one`)).toHaveLength(1);
  });

  it('limits the fields of the form like a body', async () => {
    const path = pathOf(await flow(caller()));
    const form = formOf({ ...data, user_data: 'x'.repeat(70_000) }, randomBytes(10));
    const { status, body } = await caller().send('POST', `${path}/generic`, { form });
    expect([status, body]).toEqual([413, { message: `The body is larger than the limit of 65536 bytes. ${REMEDY}` }]);
  });

  it('refuses a form above the limit of files, of fields or in total, names the limit, and stores nothing', async () => {
    const path = pathOf(await flow(caller()));
    const refused = async (form: FormData, message: string | RegExp) => {
      const { status, body } = await caller().send('POST', `${path}/generic`, { form });
      const expected = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
      expect([status, body]).toEqual([413, { message: expected }]);
    };
    const files = (count: number, bytes: number) => Array.from({ length: count }, () => randomBytes(bytes));
    const withFields = (form: FormData, count: number) => {
      for (let i = 0; i < count; i += 1) form.append(`field-${i}`, 'x');
      return form;
    };
    await refused(formOf(data, ...files(11, 10)), `The form has more files than the limit of 10. ${PACK}`);
    await refused(formOf(data, ...files(40, 4_000)), `The form has more files than the limit of 10. ${PACK}`);
    await refused(withFields(formOf(data), 20), `The form has more fields than the limit of 20. ${FIELDS}`);
    const fieldsFirst = withFields(new FormData(), 25);
    fieldsFirst.set('data_json', JSON.stringify(data));
    fieldsFirst.set('attachment_file', new Blob([randomBytes(LIMIT)]), 'a.bin');
    await refused(fieldsFirst, `The form has more fields than the limit of 20. ${FIELDS}`);
    await refused(
      formOf(data, randomBytes(LIMIT + 65_536)),
      /^The body of 265\d{3} bytes is larger than the limit of 265536 bytes\. Send .+ Compress them/,
    );
    await caller().refused(404, 'GET', `${path.replace('/attestations/', '/trails/').replace('/trail/', '/')}`);

    await caller().expect(201, 'POST', `${path}/generic`, { form: withFields(formOf(data, ...files(10, 10)), 19) });
    const [attestation] = await caller().get<AttestationAnswer[]>(`${path}/one`);
    expect(attestation?.attachments).toHaveLength(10);
  });

  it('names the limit in a form of unknown length too, whichever part is too large', async () => {
    const path = pathOf(await flow(caller()));
    const large = { ...data, user_data: 'x'.repeat(70_000) };
    for (const [form, limit] of [
      [formOf(large), 65_536],
      [formOf(large, randomBytes(10)), 65_536],
      [formOf(data, randomBytes(LIMIT + 1)), LIMIT],
      [formOf(data, randomBytes(LIMIT), randomBytes(10)), LIMIT],
      // Behind a gateway, both parts together reach the limit of the gateway first.
      [formOf(large, randomBytes(LIMIT)), `(?:65536|${65_536 + LIMIT})`],
    ] as const) {
      const encoded = new Response(form);
      const bytes = await encoded.bytes();
      const pieces = async function* () {
        for (let at = 0; at < bytes.length; at += 16_384) yield await Promise.resolve(bytes.subarray(at, at + 16_384));
      };
      const answer = await fetch(`${world().url}/api/v2${path}/generic`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer acme-member-key',
          'content-type': encoded.headers.get('content-type') ?? '',
        },
        body: ReadableStream.from(pieces()) as unknown as RequestInit['body'],
        duplex: 'half',
      } as RequestInit);
      const text = new RegExp(`larger than the limit of ${limit} bytes\\. [A-Z].+ attestations$`);
      expect([answer.status, await answer.json()]).toEqual([413, { message: expect.stringMatching(text) as string }]);
    }
  });

  it('refuses a second file where a form may have one, and names the limit', async () => {
    const name = fresh('flow');
    const form = (count: number) => {
      const twoFilesForm = flowForm({ name }, 'version: 1\n');
      for (let i = 1; i < count; i += 1) twoFilesForm.append('template_file', new Blob(['version: 1\n']), 'b.yml');
      return { form: twoFilesForm };
    };
    const two = await caller().send('PUT', '/flows/acme/template_file', form(2));
    expect([two.status, two.body]).toEqual([413, { message: 'The form has more files than the limit of 1. Send one' }]);
    await caller().refused(404, 'GET', `/flows/acme/${name}`);
    await caller().expect(201, 'PUT', '/flows/acme/template_file', form(1));
  });

  it('stores equal content once for an organization, and hides it from others', async () => {
    const path = pathOf(await flow(caller()));
    const same = randomBytes(1_000);
    for (const name of ['one', 'two']) {
      await caller().expect(201, 'POST', `${path}/generic`, {
        form: formOf({ ...data, attestation_name: name }, same),
      });
    }
    const [attestation] = await caller().get<AttestationAnswer[]>(`${path}/one`);
    const [two] = await caller().get<AttestationAnswer[]>(`${path}/two`);
    expect(attestation?.attachments).toEqual(two?.attachments);
    const evidence = `${path}/attestation/${attestation?.attestation_id}/evidence`;
    const other = evidence.replace('/acme/', '/other/');
    expect((await caller().send('GET', other)).status).toBe(403);
  });
}, SETTINGS);
