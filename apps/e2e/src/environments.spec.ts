import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { Caller } from './support/caller';
import { digest, environment, fresh, item, report } from './support/samples';
import { onEveryDeployment } from './support/world';

interface Document {
  readonly info: { readonly version: string };
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: object; readonly required: string[] }>>;
  };
}

onEveryDeployment((world) => {
  const put = (json: unknown, status = 200) => caller().expect<string>(status, 'PUT', '/environments/acme', { json });
  const get = (name: string) => caller().get<EnvironmentAnswer>(`/environments/acme/${name}`);
  const caller = (): Caller => world().as('admin');

  it('creates an environment with default fields', async () => {
    const name = fresh('env');
    const before = Date.now() / 1000;
    expect(await put({ name, type: 'docker' }, 201)).toBe('OK');
    const answer = await get(name);
    expect(answer).toEqual({
      org: 'acme',
      name,
      type: 'docker',
      description: '',
      last_modified_at: expect.any(Number),
      last_reported_at: null,
      report_every: null,
      late_since: null,
      last_changed_at: null,
      state: null,
      include_scaling: false,
      require_provenance: false,
      tags: {},
      space_id: 'root',
      policies: [],
      included_environments: null,
    });
    expect(answer.last_modified_at).toBeGreaterThanOrEqual(before - 0.001);
    expect(answer.last_modified_at).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('updates an environment; omitted fields and an empty description keep their values', async () => {
    const name = fresh('env');
    const all = { name, type: 'docker', description: 'Customers', include_scaling: true, require_provenance: true };
    await put(all, 201);
    expect(await put({ name, type: 'docker' })).toBe('OK');
    expect(await get(name)).toMatchObject({
      description: 'Customers',
      include_scaling: true,
      require_provenance: true,
    });
    await put({ name, type: 'docker', description: '', include_scaling: false });
    expect(await get(name)).toMatchObject({
      description: 'Customers',
      include_scaling: false,
      require_provenance: true,
    });
    await put({ name, type: 'docker', description: 'Nobody', require_provenance: null });
    expect(await get(name)).toMatchObject({ description: 'Nobody', include_scaling: false, require_provenance: true });
  });

  it('answers the same put again with 200 and changes nothing', async () => {
    const name = await environment(caller());
    const before = await get(name);
    await put({ name, type: 'docker', description: '' });
    expect(await get(name)).toEqual(before);
  });

  it('accepts the requests of the command line and of the Terraform provider', async () => {
    const [firstEnv, secondEnv] = [fresh('env'), fresh('env')];
    await put({ name: firstEnv, type: 'docker', description: '' }, 201);
    await put(
      {
        name: secondEnv,
        type: 'docker',
        description: 'x',
        include_scaling: true,
        policies: null,
        included_environments: null,
      },
      201,
    );
    expect(await get(secondEnv)).toMatchObject({ include_scaling: true, policies: [], included_environments: null });
    await put({
      name: secondEnv,
      type: 'docker',
      description: 'x',
      include_scaling: true,
      policies: [],
      included_environments: [],
    });
    expect(await get(secondEnv)).toMatchObject({ policies: [], included_environments: null });
  });

  it('refuses unknown properties by name', async () => {
    const json = { name: fresh('env'), type: 'docker', colour: 'red' };
    const error = await caller().refused(400, 'PUT', '/environments/acme', { json });
    expect(error.errors).toEqual({ colour: 'Unknown property [input: red]' });
  });

  it.each(['K8S', 'ECS', 'S3', 'lambda', 'server', 'docker', 'azure-apps', 'cloud-run'])(
    'makes one of type %s',
    async (type) => {
      const name = await environment(caller(), { type });
      expect(await get(name)).toMatchObject({ name, type });
    },
  );

  it('never changes the type', async () => {
    const name = await environment(caller());
    const error = await caller().refused(400, 'PUT', '/environments/acme', { json: { name, type: 'server' } });
    expect(error).toEqual({
      message: expect.stringMatching(/^Input payload validation failed: /),
      errors: { type: expect.stringContaining('server') },
    });
    expect(await get(name)).toMatchObject({ type: 'docker' });
  });

  it('refuses an unknown type, also one in other letter case', async () => {
    for (const type of ['k8s', 'unknown', 'Docker', '']) {
      const error = await caller().refused(400, 'PUT', '/environments/acme', { json: { name: fresh('env'), type } });
      expect(error.errors?.['type']).toContain(`[input: ${type}]`);
    }
  });

  it('refuses a name outside the pattern, and names the pattern', async () => {
    for (const name of ['foo bar', 'a~1', 'a#1', '-a', '.a', '', 'ä', 'a\n']) {
      const error = await caller().refused(400, 'PUT', '/environments/acme', { json: { name, type: 'docker' } });
      expect(error).toEqual({
        message: expect.stringMatching(/^Input payload validation failed: /),
        errors: { name: `String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$' [input: ${name}]` },
      });
    }
  });

  it('keeps the members of a logical environment', async () => {
    const [a, b] = [await environment(caller()), await environment(caller())];
    const name = await environment(caller(), { type: 'logical', included_environments: [a] });
    expect(await get(name)).toMatchObject({ type: 'logical', included_environments: [a] });
    await put({ name, type: 'logical', included_environments: [b, a] });
    expect((await get(name)).included_environments).toEqual(expect.arrayContaining([a, b]));
    await put({ name, type: 'logical', description: 'both' });
    expect((await get(name)).included_environments).toHaveLength(2);
    await put({ name, type: 'logical', included_environments: [] });
    expect((await get(name)).included_environments).toEqual([]);
  });

  it('refuses members that do not exist or are logical themselves', async () => {
    const logical = await environment(caller(), { type: 'logical' });
    for (const member of ['nowhere', logical]) {
      const name = fresh('env');
      const json = { name, type: 'logical', included_environments: [member] };
      const error = await caller().refused(400, 'PUT', '/environments/acme', { json });
      expect(error.errors?.['included_environments']).toContain(member);
      await caller().refused(404, 'GET', `/environments/acme/${name}`);
    }
  });

  it('names the environment that does not exist', async () => {
    for (const name of ['nowhere', 'no%20where', '__proto__', 'constructor']) {
      expect(await caller().refused(404, 'GET', `/environments/acme/${name}`)).toEqual({
        message: `Environment named '${decodeURIComponent(name)}' does not exist for organization 'acme'`,
      });
    }
  });

  it('compares names byte by byte', async () => {
    const name = await environment(caller());
    await caller().refused(404, 'GET', `/environments/acme/${name.toUpperCase()}`);
    await put({ name: name.toUpperCase(), type: 'server' }, 201);
    expect(await get(name)).toMatchObject({ type: 'docker' });
  });

  it('creates one environment for many simultaneous requests', async () => {
    const name = fresh('env');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => caller().send('PUT', '/environments/acme', { json: { name, type: 'docker' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(11).fill(200), 201]);
  });

  it('is described under the name that clients look up', async () => {
    const answer = await fetch(`${world().url}/api/v2/openapi.json`);
    const { components, info } = (await answer.json()) as Document;
    expect(info.version).toBe('2.0');
    const { properties, required } = components.schemas['CreateEnvironmentPutInput'] ?? {
      properties: {},
      required: [],
    };
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining([
        'name',
        'type',
        'description',
        'include_scaling',
        'require_provenance',
        'included_environments',
      ]),
    );
    expect(['name', 'type', 'description']).toEqual(expect.arrayContaining(required));
  });

  it('shows when it was reported and when it changed', async () => {
    const name = await environment(caller());
    await report(caller(), name, [item({ 'a:1': digest('a') })]);
    const { last_reported_at, last_changed_at } = await get(name);
    expect(last_changed_at).toBeGreaterThan(Date.now() / 1000 - 20);
    expect(last_reported_at).toBeGreaterThanOrEqual(last_changed_at ?? Infinity);
    await report(caller(), name, [item({ 'a:1': digest('a') })]);
    expect(await get(name)).toMatchObject({ last_changed_at });
    await report(caller(), name, [item({ 'a:2': digest('b') })]);
    const after = await get(name);
    expect(after.last_changed_at).toBeGreaterThan(last_changed_at ?? Infinity);
    expect(after.last_reported_at).toBeGreaterThanOrEqual(after.last_changed_at ?? Infinity);
  });
});
