import { organization } from '@assurance/access/domain/organization';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { Engines } from '@assurance/storage-ports';
import type { Caller } from '../support/caller';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { digest, flow, flowForm } from '../support/samples';
import { worldOf } from '../support/world';

const HOUR = 3_600_000;

describe('blobs that no attestation names', () => {
  let installation: Installation;
  let engines: Engines;
  let caller: Caller;
  let ahead = 0;
  const now = () => Date.now() + ahead;

  beforeAll(async () => {
    installation = new Installation({}, now);
    engines = await installation.open();
    caller = (await worldOf(await installation.start())).as('member');
  }, 60_000);
  afterAll(async () => {
    await installation.clear();
    expect(installation.log).toEqual([]);
  });

  const attest = (flowName: string, content: string, fields: object) => {
    const form = flowForm(fields);
    form.set('attachment_file', new Blob([content], { type: 'application/octet-stream' }), 'evidence.txt');
    return caller.send('POST', `/attestations/acme/${flowName}/trail/build-1/generic`, { form });
  };
  const stored = async (content: string) => {
    const results = await Promise.all((await orgs()).map((org) => engines.blobs.stat(org, digest(content))));
    return results.some((info) => info !== null);
  };
  const orgs = async () => {
    const { documents } = await engines.documents.collection(organization.states).scan(null, 100);
    return documents.map(({ doc }) => doc.id);
  };
  /** Leaves a blob like a process that ends between a put and the commit of its request. */
  const leave = async (content: string) => {
    async function* once() {
      yield await Promise.resolve(Buffer.from(content));
    }
    for (const org of await orgs()) await engines.blobs.put(org, once(), 1_000);
  };
  const good = { attestation_name: 'scan', is_compliant: true };

  it('are removed when their request is refused, unless something else references them', async () => {
    const flowName = await flow(caller);
    expect((await attest(flowName, 'refused', { attestation_name: 'scan' })).status).toBe(400);
    expect((await attest('no-such-flow!', 'refused', good)).status).toBe(404);
    expect(await stored('refused')).toBe(false);
    expect((await attest(flowName, 'shared', good)).status).toBe(201);
    expect((await attest(flowName, 'shared', { attestation_name: 'scan' })).status).toBe(400);
    expect(await stored('shared')).toBe(true);
    const atOnce = await Promise.all(
      [{}, good, {}, {}].map((fields) => attest(flowName, 'at once', { attestation_name: 'scan', ...fields })),
    );
    expect(atOnce.map(({ status }) => status)).toEqual([400, 201, 400, 400]);
    expect(await stored('at once')).toBe(true);
    await Promise.all([1, 2, 3, 4].map(() => attest(flowName, 'all refused', { attestation_name: 'scan' })));
    expect(await stored('all refused')).toBe(false);
  }, 60_000);

  it('are removed a day after their upload, and the others stay', async () => {
    const flowName = await flow(caller);
    expect((await attest(flowName, 'named', good)).status).toBe(201);
    await leave('left');
    expect([await stored('named'), await stored('left')]).toEqual([true, true]);
    // An hour with each look: whenever a round begins, the next one comes a day after it.
    const goes = (content: string) =>
      eventually(
        () => {
          ahead += HOUR;
          return stored(content);
        },
        (there) => !there,
      );
    expect(await goes('left')).toBe(false);
    await leave('young');
    expect([await stored('named'), await stored('young')]).toEqual([true, true]);
    // Referenced blobs stay in every round.
    expect(await goes('young')).toBe(false);
    const [existing] = await caller.get<AttestationAnswer[]>(`/attestations/acme/${flowName}/trail/build-1/scan`);
    const path = `/attestations/acme/${flowName}/trail/build-1/attestation/${existing?.attestation_id ?? ''}/evidence`;
    expect((await caller.bytes(path)).content.includes('named')).toBe(true);
    expect(await stored('named')).toBe(true);
  }, 60_000);
});
