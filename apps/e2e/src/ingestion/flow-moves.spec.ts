import type { TrailAnswer } from '@assurance/contracts/flows/answers/trail';
import type { Caller } from '../support/caller';
import { startLoose } from '../support/deployments';
import type { RunningService } from '../support/running';
import { artifact, digest, flow, flowForm, fresh } from '../support/samples';
import { worldOf } from '../support/world';

const TEMPLATE = 'version: 1\ntrail:\n  attestations:\n    - name: review\n      type: pull_request\n';

/** Storage whose first try of each append conflicts: what a command read before it counts no more when it tries again. */
describe('a flow that changes while something is decided by it', () => {
  /** Runs before the next append. */
  let meanwhile: (() => Promise<unknown>) | null = null;
  let service: RunningService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startLoose({}, async (step) => {
      if (step !== 'events.append' || meanwhile === null) return;
      const change = meanwhile;
      meanwhile = null;
      await change();
    });
    caller = (await worldOf(service)).as('member');
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    expect(service.faults).toEqual([]);
  });

  const form = (data: unknown) => {
    const body = new FormData();
    body.set('data_json', JSON.stringify(data));
    return body;
  };
  const archived = (name: string) => () => caller.expect(200, 'PUT', `/flows/acme/${name}/archive`, { json: null });
  const templated = (name: string) => () =>
    caller.expect(200, 'PUT', '/flows/acme/template_file', { form: flowForm({ name, description: '' }, TEMPLATE) });

  /** Commands that need the flow, each with one append. */
  const commands = [
    {
      what: 'an attestation',
      send: (name: string) =>
        caller.send('POST', `/attestations/acme/${name}/trail/build/generic`, {
          form: form({ attestation_name: 'scan', is_compliant: true }),
        }),
    },
    {
      what: 'the beginning of a trail',
      send: (name: string) => caller.send('PUT', `/trails/acme/${name}`, { form: form({ name: 'build' }) }),
    },
    {
      what: 'an artifact',
      send: (name: string) =>
        caller.send('POST', `/artifacts/acme/${name}`, {
          json: artifact(digest(name), { trail_name: 'build', repo_info: undefined }),
        }),
    },
  ];

  it.each(commands)('refuses $what after it was archived in between', async ({ send }) => {
    const name = await flow(caller);
    meanwhile = archived(name);
    const { status, text } = await send(name);
    expect([status, text]).toEqual([expect.any(Number), expect.stringContaining('archived')]);
    expect(status).toBeGreaterThanOrEqual(400);
    await caller.refused(404, 'GET', `/trails/acme/${name}/build`);
  });

  it('refuses an artifact without a trail after it was archived in between', async () => {
    const name = await flow(caller);
    meanwhile = archived(name);
    const bare = { trail_name: undefined, template_reference_name: undefined, repo_info: undefined };
    const { text } = await caller.send('POST', `/artifacts/acme/${name}`, { json: artifact(digest(fresh('a')), bare) });
    expect(text).toContain('archived');
  });

  it.each(commands)('uses the new template for a trail that begins with $what', async ({ send }) => {
    const name = await flow(caller);
    meanwhile = templated(name);
    const { status } = await send(name);
    expect([200, 201]).toContain(status);
    const trail = await caller.get<TrailAnswer>(`/trails/acme/${name}/build`);
    expect(trail.template.content).toBe(TEMPLATE);
  });
});
