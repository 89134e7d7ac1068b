import { Assistants, call } from './support/assistants';
import { keyOf } from './support/declared';
import { deployments } from './support/deployments';
import type { RunningService } from './support/running';
import { artifact, digest, environment, flow as makeFlow, item, post, report, YESTERDAY } from './support/samples';
import { type World, worldOf } from './support/world';

jest.setTimeout(60_000);
const START_MS = 90_000;
const WRITING = [
  'attach_policies',
  'attest_generic',
  'attest_system',
  'detach_policies',
  'override_attestation',
  'patch_tags',
  'put_allowlist',
  'test_notification',
];

describe.each(deployments)('assistants that may write, on the $name deployment', (deployment) => {
  let running: RunningService;
  let world: Pick<World, 'as'>;
  let assistants: Assistants;
  let env: string;
  let flow: string;
  const fingerprint = digest('written');

  beforeAll(async () => {
    running = await deployment.start({ ASSURANCE_MCP_TOOLS: 'write' });
    world = await worldOf(running);
    assistants = new Assistants(running);
    const admin = world.as('admin');
    env = await environment(admin);
    flow = await makeFlow(admin);
    await post(admin, flow, artifact(fingerprint, { trail_name: 'build-1' }));
    await report(admin, env, [item({ web: fingerprint }, YESTERDAY)]);
  }, START_MS);

  afterAll(async () => {
    await assistants?.close();
    await running.stop();
    expect(running.faults).toEqual([]);
  }, START_MS);

  const asMember = () => assistants.with(keyOf('member'));
  const trail = () => ({ org: 'acme', flow, trail: 'build-1' });
  const approval = { attestation_name: 'review', is_compliant: true, description: 'Looked at it' };

  it('are told which tools change data, and which arguments they take', async () => {
    const client = await asMember();
    expect(client.getInstructions()).toContain('because the person asked for it');
    const { tools } = await client.listTools();
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writing.map(({ name }) => name).sort()).toEqual(WRITING);
    const about = (name: string) => tools.find((tool) => tool.name === name);
    expect(about('detach_policies')?.annotations).toMatchObject({ destructiveHint: true, idempotentHint: true });
    expect(about('attest_generic')?.annotations).toMatchObject({ destructiveHint: false, idempotentHint: false });
    expect(about('test_notification')?.annotations).toMatchObject({ openWorldHint: true });
    expect(about('attest_generic')?.inputSchema).toMatchObject({ required: ['org', 'flow', 'trail', 'body'] });
    expect(about('get_trail')?.annotations).toMatchObject({ readOnlyHint: true });
  });

  it('attest, and what they attested is there under the name of the key', async () => {
    const { told, isError } = await call(await asMember(), 'attest_generic', { ...trail(), body: approval });
    expect([isError, told.page]).toEqual([false, expect.stringContaining(`/acme/flows/${flow}/trails/build-1`)]);
    const [result] = await world.as('reader').get<object[]>(`/attestations/acme/${flow}/trail/build-1/review`);
    expect(result).toMatchObject({ is_compliant: true, description: 'Looked at it', created_by: 'ci-member' });
  });

  it('tag and allow', async () => {
    const client = await asMember();
    const tags = { org: 'acme', resource_type: 'environments', id: env, body: { set_tags: { team: 'shop' } } };
    expect(await call(client, 'patch_tags', tags)).toMatchObject({ isError: false });
    const body = { artifact_fingerprint: fingerprint, artifact_name: 'web', description: 'By its vendor' };
    expect(await call(client, 'put_allowlist', { org: 'acme', env, body })).toMatchObject({ isError: false });
    expect(await world.as('reader').get(`/environments/acme/${env}`)).toMatchObject({ tags: { team: 'shop' } });
  });

  it('are refused what their key does not permit, and nothing is recorded', async () => {
    const reader = await assistants.with(keyOf('reader'));
    const body = { ...approval, attestation_name: 'by-reader' };
    const { isError, told } = await call(reader, 'attest_generic', { ...trail(), body });
    expect([isError, told]).toMatchObject([true, { status: 403 }]);
    expect(await world.as('reader').get(`/attestations/acme/${flow}/trail/build-1/by-reader`)).toEqual([]);
  });

  it.each([
    ['no body', undefined, 'body should be an object'],
    ['a body that is none', 'text', 'body should be an object'],
    ['a wrong body', { attestation_name: 'x', is_compliant: 'perhaps' }, 'is_compliant'],
  ])('are told what is wrong with %s', async (_, body, reason) => {
    const { isError, told } = await call(await asMember(), 'attest_generic', { ...trail(), ...(body && { body }) });
    expect(isError).toBe(true);
    expect(JSON.stringify(told)).toContain(reason);
  });

  it('have no tool that decides who gets in', async () => {
    const input = { org: 'acme', user: 'eve', body: { role: 'admin' } };
    await expect(
      (await assistants.with(keyOf('admin'))).callTool({ name: 'put_member', arguments: input }),
    ).rejects.toThrow('no such tool');
  });
});
