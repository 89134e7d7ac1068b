import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { FlowListItem } from '@assurance/contracts/environments/answers/catalogue';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import { artifact, digest, environment, flow, flowForm, fresh, item, post, report, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

const TEMPLATE = `version: 1
trail:
  attestations:
    - name: review
      type: generic
  artifacts:
    - name: web
      attestations: [{ name: unit-test, type: junit }]
`;

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const putForm = (form: FormData, status: number) =>
    caller().expect<string>(status, 'PUT', '/flows/acme/template_file', { form });
  const putJson = (json: unknown, status: number) => caller().expect<string>(status, 'PUT', '/flows/acme', { json });
  const get = (name: string) => caller().get<FlowAnswer>(`/flows/acme/${name}`);

  it('creates a flow from a form with a template', async () => {
    const name = fresh('flow');
    expect(await putForm(flowForm({ name, description: 'The web <shop> & more' }, TEMPLATE), 201)).toBe('OK');
    expect(await get(name)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      name,
      description: 'The web <shop> & more',
      visibility: 'private',
      org: 'acme',
      template: TEMPLATE,
      repo_url: null,
      tags: {},
      space_id: 'root',
      last_deployment_at: null,
    });
  });

  it('shows the repository of its latest trail', async () => {
    const name = fresh('flow');
    await putForm(flowForm({ name }), 201);
    const trail = async (data: object) => {
      const form = flowForm({ description: '', ...data });
      await caller().expect(201, 'PUT', `/trails/acme/${name}`, { form });
    };
    await trail({ name: 'build-1', repo_info: { url: `git@github.com:acme/${name}.git` } });
    expect((await get(name)).repo_url).toBe(`https://github.com/acme/${name}`);
    const listed = await caller().get<FlowListItem[]>(`/flows/acme?search_by_name=${name}&page=1`);
    expect(JSON.stringify(listed)).toContain(`"repo_url":"https://github.com/acme/${name}"`);
    await trail({ name: 'build-2' });
    expect((await get(name)).repo_url).toBeNull();
  });

  it('gives a new flow an empty template, and keeps an existing template', async () => {
    const name = fresh('flow');
    await putForm(flowForm({ name }), 201);
    expect(await get(name)).toMatchObject({ description: '', template: 'version: 1\n' });
    await putForm(flowForm({ name, description: 'x', visibility: 'public' }, TEMPLATE), 200);
    await putForm(flowForm({ name }), 200);
    expect(await get(name)).toMatchObject({ description: 'x', visibility: 'public', template: TEMPLATE });
  });

  it('answers a repeated request with 200 and the same flow', async () => {
    const name = fresh('flow');
    await putForm(flowForm({ name, description: 'x' }, TEMPLATE), 201);
    const before = await get(name);
    await putForm(flowForm({ name, description: 'x' }, TEMPLATE), 200);
    expect(await get(name)).toEqual(before);
  });

  it('accepts a form with fields in another order and with the escapes of clients', async () => {
    const name = fresh('flow');
    const form = new FormData();
    form.set('template_file', new Blob([TEMPLATE], { type: 'application/octet-stream' }), 'a.yml');
    form.set('data_json', `{"name":"${name}","description":"\\u003cb\\u003e \\u0026 more"}`);
    await putForm(form, 201);
    expect(await get(name)).toMatchObject({ description: '<b> & more', template: TEMPLATE });
  });

  it('returns the list of the legacy form as a list', async () => {
    const name = fresh('flow');
    expect(await putJson({ name, description: '', template: ['artifact', 'unit-test'] }, 201)).toBe('OK');
    expect(await get(name)).toMatchObject({ template: ['artifact', 'unit-test'] });
    await putJson({ name, description: '' }, 200);
    expect(await get(name)).toMatchObject({ template: ['artifact', 'unit-test'] });
    await putForm(flowForm({ name }, TEMPLATE), 200);
    expect(await get(name)).toMatchObject({ template: TEMPLATE });
  });

  it('refuses a list without the artifact', async () => {
    const error = await caller().refused(400, 'PUT', '/flows/acme', {
      json: { name: fresh('flow'), template: ['unit-test'] },
    });
    expect(error.errors?.['template']).toContain("'artifact'");
  });

  it('refuses a name outside the pattern in both forms', async () => {
    const expected = {
      message: expect.stringMatching(/^Input payload validation failed: /),
      errors: { name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$' [input: foo bar]" },
    };
    expect(await caller().refused(400, 'PUT', '/flows/acme', { json: { name: 'foo bar' } })).toEqual(expected);
    const form = flowForm({ name: 'foo bar' });
    expect(await caller().refused(400, 'PUT', '/flows/acme/template_file', { form })).toEqual(expected);
  });

  it('refuses a name that a route has, for a new flow and for another name', async () => {
    const name = 'list_attestations_for_criteria';
    const problem = `A route of the API has this name. Choose another one [input: ${name}]`;
    const { errors } = await caller().refused(400, 'PUT', '/flows/acme', { json: { name } });
    expect(errors).toEqual({ name: problem });
    const form = flowForm({ name });
    expect((await caller().refused(400, 'PUT', '/flows/acme/template_file', { form })).errors).toEqual({
      name: problem,
    });
    const path = `/flows/acme/${await flow(caller())}/rename`;
    expect((await caller().refused(400, 'PUT', path, { json: { new_name: name } })).errors).toEqual({
      new_name: problem,
    });
  });

  it('refuses a malformed form, and one with broken or missing JSON', async () => {
    const path = '/flows/acme/template_file';
    const broken = await caller().refused(400, 'PUT', path, { form: flowForm('{"name":') });
    expect(broken).toEqual({
      message: expect.stringMatching(/^Input payload validation failed: /),
      errors: { data_json: expect.any(String) },
    });
    const empty = new FormData();
    empty.set('other', 'x');
    expect((await caller().refused(400, 'PUT', path, { form: empty })).errors).toHaveProperty('data_json');
    const { status } = await caller().send('PUT', path, { json: { name: fresh('flow') } });
    expect([400, 415]).toContain(status);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const cut = '--x\r\nContent-Disposition: form-data; name="data_json"\r\n\r\n{"name":"cut"';
    await caller().refused(400, 'PUT', path, { text: cut, headers });
    await caller().refused(400, 'PUT', path, { text: 'no form at all', headers });
    await caller().refused(400, 'PUT', path, { text: 'x', headers: { 'content-type': 'multipart/form-data' } });
  });

  it.each([
    ['another version', 'version: 2\n'],
    ['an unknown key', 'version: 1\ncolour: red\n'],
    ['no YAML', 'version: [1\n'],
    ['an attestation without a type', 'version: 1\ntrail:\n  attestations:\n    - name: review\n'],
    ['two of one name', 'version: 1\ntrail:\n  artifacts:\n    - name: web\n    - name: web\n'],
    ['a list', '- version\n'],
  ])('refuses a template with %s, and stores nothing', async (_, yaml) => {
    const name = fresh('flow');
    const error = await caller().refused(400, 'PUT', '/flows/acme/template_file', { form: flowForm({ name }, yaml) });
    expect(error.message).toMatch(/^Input payload validation failed: /);
    expect(Object.keys(error.errors ?? {})).not.toHaveLength(0);
    await caller().refused(404, 'GET', `/flows/acme/${name}`);
  });

  it('names the flow that does not exist', async () => {
    for (const name of ['nothing', 'no%20thing', '__proto__']) {
      expect(await caller().refused(404, 'GET', `/flows/acme/${name}`)).toEqual({
        message: `Flow named '${decodeURIComponent(name)}' does not exist for organization 'acme'`,
      });
    }
  });

  it('shows the last deployment of an artifact whose first flow it is', async () => {
    const [env, first, second] = [await environment(caller()), await flow(caller()), await flow(caller())];
    const fingerprint = digest(env);
    await post(caller(), first, artifact(fingerprint));
    await post(caller(), second, artifact(fingerprint));
    await report(caller(), env, [item({ 'shop/web:1': fingerprint }, YESTERDAY)]);
    // It ran before reporting began.
    expect(await get(first)).toMatchObject({ last_deployment_at: null });
    const newest = async () => {
      const { deployments } = await caller().get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}`);
      return deployments[0]?.deployed_at;
    };
    const later = digest(`${env} later`);
    await post(caller(), first, artifact(later));
    await post(caller(), second, artifact(later));
    await report(caller(), env, [item({ 'shop/web:2': later }, 0)]);
    const last_deployment_at = await newest();
    expect(await get(first)).toMatchObject({ last_deployment_at });
    expect(await get(second)).toMatchObject({ last_deployment_at: null });
    // A restart brings nothing new.
    await report(caller(), env, []);
    await report(caller(), env, [item({ 'shop/web:2': later }, 0)]);
    expect(await newest()).toBeGreaterThan(last_deployment_at ?? Infinity);
    expect(await get(first)).toMatchObject({ last_deployment_at });
  });
});
