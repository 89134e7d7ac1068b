import type { PackageRequest } from '@assurance/audit/collect/scope';
import { GetPackage, GetTrailPdf } from '@assurance/audit/collect/packages.query';
import { type RoleUnderTest, startRole } from '@assurance/http/testing';
import { err } from '@assurance/kernel';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { ACME, recordAcme } from '@assurance/testing/recorded/acme';
import { auditPackage } from './role';

let opened: Awaited<ReturnType<typeof openTemporary>>;
let role: RoleUnderTest;
beforeAll(async () => {
  opened = await openTemporary();
  await recordAcme(opened.engines);
  role = await startRole(auditPackage, opened.engines);
});
afterAll(async () => {
  await role.close();
  await opened.close();
});

describe('GetPackageHandler', () => {
  const get = (flow: string, request: PackageRequest) =>
    role.queries.execute(new GetPackage({ org: ACME.org, flow, request }));

  it('writes an archive of a trail, an artifact and an attestation', async () => {
    const requests: readonly PackageRequest[] = [
      { kind: 'trail', trail: 'build-1' },
      { kind: 'artifact', fingerprint: ACME.fingerprint, trail: undefined },
      { kind: 'attestation', trail: 'build-1', id: ACME.attestation },
    ];
    for (const request of requests) {
      const result = await get('shop', request);
      if (!result.ok) throw new Error(result.refusal.kind);
      const pieces = [];
      for await (const piece of result.value) pieces.push(piece);
      expect(Buffer.concat(pieces).toString('latin1')).toContain('manifest.json');
    }
  });

  it('refuses an unknown flow, trail, artifact and attestation', async () => {
    const trail = { kind: 'trail', trail: 'build-1' } as const;
    expect(await get('nobody', trail)).toEqual(err({ kind: 'flow-unknown', org: 'acme', name: 'nobody' }));
    expect(await get('shop', { kind: 'trail', trail: 'nobody' })).toMatchObject(err({ kind: 'trail-unknown' }));
    const strange = { kind: 'artifact', fingerprint: 'f'.repeat(64), trail: undefined } as const;
    expect(await get('shop', strange)).toMatchObject(err({ kind: 'artifact-unknown' }));
    const attestation = { kind: 'attestation', trail: 'build-1', id: 'nobody' } as const;
    expect(await get('shop', attestation)).toEqual(err({ kind: 'attestation-unknown', id: 'nobody' }));
  });
});

describe('GetTrailPdfHandler', () => {
  const get = (flow: string, trail: string) => role.queries.execute(new GetTrailPdf({ org: ACME.org, flow, trail }));

  it('writes the report of a trail', async () => {
    const result = await get('shop', 'build-1');
    expect(result.ok && result.value.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('refuses an unknown flow and an unknown trail', async () => {
    expect(await get('nobody', 'build-1')).toEqual(err({ kind: 'flow-unknown', org: 'acme', name: 'nobody' }));
    expect(await get('shop', 'nobody')).toMatchObject(err({ kind: 'trail-unknown' }));
  });
});
