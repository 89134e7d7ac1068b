import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import { onEveryEngine } from '../support/operated';
import { digest, flow, flowForm } from '../support/samples';

const BY_SIZE = '--attachments-by-size';

onEveryEngine((operated) => {
  const caller = () => operated().world.as('member');

  async function attest(flowName: string, trail: string, name: string, content: string): Promise<AttestationAnswer> {
    const form = flowForm({ attestation_name: name, is_compliant: true });
    form.set('attachment_file', new Blob([content]), `${name}.txt`);
    await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/generic`, { form });
    const [result] = await caller().get<AttestationAnswer[]>(`/attestations/acme/${flowName}/trail/${trail}/${name}`);
    return result!;
  }

  /** The file of a content in the data folder. */
  function fileOf(content: string): string {
    const blobs = join(dirname(operated().file), 'blobs');
    const all = readdirSync(blobs, { recursive: true, encoding: 'utf8' });
    return join(blobs, all.find((name) => name.endsWith(digest(content))) ?? '');
  }

  async function verify(...words: readonly string[]) {
    const { ok, summary, details } = await operated().operate('verify', ...words);
    const { attachments, first } = details as { attachments: number; first: { stream: string; fault: string }[] };
    return { ok, summary, attachments, first };
  }

  const documentOf = (content: string, { attestation_id: id }: AttestationAnswer, name: string, trail: string) =>
    `the attachment "${name}.txt" (SHA-256 ${digest(content)}) of attestation ${id} ("${name}") of trail "${trail}" `;

  it('names lost and changed attachments with every attestation that has them', async () => {
    const flowName = await flow(caller());
    const [same, other] = [`same ${flowName}`, `other ${flowName}`];
    const attestation = await attest(flowName, 'build-1', 'tests', same);
    const two = await attest(flowName, 'build-2', 'scan', same);
    const three = await attest(flowName, 'build-2', 'review', other);
    const before = await verify();
    expect(before).toMatchObject({ ok: true, first: [] });
    expect(before.summary).toContain(`with the ${before.attachments} attachments that they name`);

    const file = fileOf(same);
    rmSync(file);
    const lost = 'is lost: the store of attachments does not have its content';
    const faults = [
      documentOf(same, attestation, 'tests', 'build-1') + lost,
      documentOf(same, two, 'scan', 'build-2') + lost,
    ];
    for (const words of [[], [BY_SIZE]]) {
      const { ok, first, summary } = await verify(...words);
      for (const { stream, fault } of first) expect(summary).toContain(`${stream}#1: ${fault}`);
      expect([ok, first.map(({ fault }) => fault).sort()]).toEqual([false, faults.toSorted()]);
      expect(first.map(({ stream }) => stream.split('/').at(-1)).sort()).toEqual(['build-1', 'build-2']);
    }
    writeFileSync(file, same);
    expect(await verify()).toMatchObject({ ok: true, first: [], attachments: before.attachments });

    const changed = other.toUpperCase();
    writeFileSync(fileOf(other), changed);
    const fault = `${documentOf(other, three, 'review', 'build-2')}has changed: its ${other.length} bytes have the SHA-256 ${digest(changed)}`;
    expect((await verify()).first.map((result) => result.fault)).toEqual([fault]);
    expect(await verify(BY_SIZE)).toMatchObject({ ok: true });
    writeFileSync(fileOf(other), other.slice(1));
    const short = `has changed: it has ${other.length - 1} bytes, not ${other.length}`;
    expect((await verify(BY_SIZE)).first).toMatchObject([
      { fault: documentOf(other, three, 'review', 'build-2') + short },
    ]);
    expect((await verify()).first).toMatchObject([{ fault: expect.stringContaining('has changed') as string }]);
    writeFileSync(fileOf(other), other);
    expect(readFileSync(fileOf(other), 'utf8')).toBe(other);
    expect(await verify()).toMatchObject({ ok: true });
  });
});
