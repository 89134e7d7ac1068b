import { flow, flowForm } from './support/samples';
import { onEveryDeployment } from './support/world';

/** Errors name the place of a fault and what is right. */
onEveryDeployment((world) => {
  const caller = () => world().as('admin');
  const put = async (text: string) => {
    const { errors } = await caller().refused(400, 'PUT', '/environments/acme', { text });
    return errors?.['body'] ?? '';
  };

  it.each([
    ['/deployments/acme?env=prod', 'env', 'env_name'],
    ['/deployments/acme?environment=prod', 'environment', 'env_name'],
    ['/deployments/acme?repo=x', 'repo', 'repo_name'],
    ['/deployments/acme?start=1', 'start', 'start_ts'],
    ['/trails/acme?flow_name=x', 'flow_name', 'flow'],
    ['/artifacts/acme?flow=x', 'flow', 'flow_name'],
    ['/environments/acme?names=x', 'names', 'name'],
    ['/repos/acme?perPage=5', 'perPage', 'per_page'],
  ])('names the parameter that %s means', async (path, name, meant) => {
    const { message, errors } = await caller().refused(400, 'GET', path);
    const problem = `Unknown parameter. Did you mean '${meant}'?`;
    expect([message, errors]).toEqual([`Input payload validation failed: ${name} ${problem}`, { [name]: problem }]);
  });

  it('says where JSON is broken, with the text around it', async () => {
    const lines = ['{', '  "name": "prod",', `  "description": "${'x'.repeat(600)}",`, '  "type": "docker",', '}'];
    const problem = await put(lines.join('\n'));
    expect(problem).toMatch(
      /^Input is not valid JSON: unexpected '}' at line 5, column 1 \[input: x+",\n {2}"type": "docker",\n}\]$/,
    );
    expect(await put('{"name": "prod", "type":')).toContain('it ends too early at line 1, column 25');
    const form = flowForm('{"name": "prod" "description": ""}');
    const { errors } = await caller().refused(400, 'PUT', '/flows/acme/template_file', { form });
    expect(errors?.['data_json']).toContain(`unexpected '"' at line 1, column 17`);
  });

  it('says where JSON is broken in a body of a megabyte, which a thread of its own reads', async () => {
    const env = { name: 'remedies', type: 'docker', description: '' };
    await caller().expect(201, 'PUT', '/environments/acme', { json: env });
    const items = Array.from(
      { length: 20_000 },
      (_, i) => `{"digests":{"web-${i}":"${'a'.repeat(64)}"},"creationTimestamp":1}`,
    );
    const text = `{"artifacts":[\n${items.join(',\n')},\n]}`;
    const { errors } = await caller().refused(400, 'PUT', '/environments/acme/remedies/report/docker', { text });
    expect(errors?.['body']).toContain("unexpected ']' at line 20002, column 1");
  });

  it('names a key that is not allowed, which is no fault of the JSON', async () => {
    for (const text of ['{"__proto__": {}}', '{"name": "x", "type": "docker", "tags": [{"__proto__": 1}]}']) {
      expect(await put(text)).toMatch(/^The key '__proto__' is not allowed/);
    }
    const flowName = await flow(caller());
    const form = flowForm('{"name": "t", "__proto__": {"a": 1}}');
    const { errors } = await caller().refused(400, 'PUT', `/trails/acme/${flowName}`, { form });
    expect(errors?.['data_json']).toMatch(/^The key '__proto__' is not allowed/);
  });
});
