import { createHash, randomBytes } from 'node:crypto';
import type { AttestationAnswer } from '@assurance/contracts-http';
import { flow } from './support/samples';
import { onEveryShape } from './support/world';

const LIMIT = 200_000;
const SETTINGS = { ASSURANCE_MAX_ATTACHMENT_BYTES: String(LIMIT), ASSURANCE_MAX_BODY_BYTES: '65536' };

onEveryShape((world) => {
  const caller = () => world().as('member');
  const formOf = (data: unknown, ...files: readonly Uint8Array[]) => {
    const form = new FormData();
    form.set('data_json', JSON.stringify(data));
    for (const file of files) form.append('attachment_file', new Blob([file as never]), 'a.bin');
    return form;
  };
  const data = { attestation_name: 'one', is_compliant: true };
  const pathOf = (flowName: string) => `/attestations/acme/${flowName}/trail/build-1`;
  const tooLarge = { message: `The attachments are larger than the limit of ${LIMIT} bytes` };

  it('takes attachments that are larger than a body may be, and no more than the limit', async () => {
    const path = pathOf(await flow(caller()));
    const most = randomBytes(LIMIT);
    await caller().expect(201, 'POST', `${path}/generic`, { form: formOf(data, most) });
    const [one] = await caller().get<AttestationAnswer[]>(`${path}/one`);
    const sha256 = createHash('sha256').update(most).digest('hex');
    expect(one?.attachments).toEqual([{ filename: 'a.bin', sha256, size: LIMIT }]);
    const evidence = await caller().bytes(`${path}/attestation/${one?.attestation_id}/evidence`);
    expect(evidence.content.subarray(512, 512 + LIMIT).equals(most)).toBe(true);

    const over = await caller().send('POST', `${path}/generic`, { form: formOf(data, randomBytes(LIMIT + 1)) });
    expect([over.status, over.body]).toEqual([413, tooLarge]);
    const two = await caller().send('POST', `${path}/generic`, { form: formOf(data, most, randomBytes(10)) });
    expect([two.status, two.body]).toEqual([413, tooLarge]);
    expect(await caller().get<unknown[]>(`${path}/one`)).toHaveLength(1);
  });

  it('holds the fields beside them to the limit of a body', async () => {
    const path = pathOf(await flow(caller()));
    const form = formOf({ ...data, user_data: 'x'.repeat(70_000) }, randomBytes(10));
    const { status, body } = await caller().send('POST', `${path}/generic`, { form });
    expect([status, body]).toEqual([413, { message: 'The body is larger than the limit of 65536 bytes' }]);
  });

  it('stores the same content once for an organization, and gives it to no other', async () => {
    const path = pathOf(await flow(caller()));
    const same = randomBytes(1_000);
    for (const name of ['one', 'two']) {
      await caller().expect(201, 'POST', `${path}/generic`, {
        form: formOf({ ...data, attestation_name: name }, same),
      });
    }
    const [one] = await caller().get<AttestationAnswer[]>(`${path}/one`);
    const [two] = await caller().get<AttestationAnswer[]>(`${path}/two`);
    expect(one?.attachments).toEqual(two?.attachments);
    const evidence = `${path}/attestation/${one?.attestation_id}/evidence`;
    const other = evidence.replace('/acme/', '/other/');
    expect((await caller().send('GET', other)).status).toBe(403);
  });
}, SETTINGS);
