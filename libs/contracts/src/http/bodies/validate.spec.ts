import { CreateEnvironmentPutInput } from '../../environments/bodies/environment';
import { artifactCount, dockerReport } from '../../environments/bodies/report';
import { ArtifactPostInput } from '../../flows/bodies/artifact';
import { FlowPutInput } from '../../flows/bodies/flow';
import type { FieldErrors } from '../params';
import type { Shape } from '../shape';
import { validateBody } from './validate';

const A = 'a'.repeat(64);
const SHA = 'b'.repeat(40);

function errorsOf(shape: Shape<unknown>, body: unknown): FieldErrors {
  const validated = validateBody(shape, body);
  return 'errors' in validated ? validated.errors : {};
}

function valueOf<T>(shape: Shape<T>, body: unknown): T {
  const validated = validateBody(shape, body);
  if ('errors' in validated) throw new Error(JSON.stringify(validated.errors));
  return validated.value;
}

const report = (body: unknown) => errorsOf(dockerReport.shape, body);
const item = (digests: unknown, creationTimestamp: unknown = 1) => ({ artifacts: [{ digests, creationTimestamp }] });

describe('a docker report', () => {
  it.each([
    [null, { body: 'Input should be an object [input: null]' }],
    [[], { body: 'Input should be an object [input: []]' }],
    ['x', { body: 'Input should be an object [input: x]' }],
    [{}, { artifacts: 'Field required' }],
    [{ artifacts: {} }, { artifacts: 'Input should be a list [input: {}]' }],
    [{ artifacts: [7] }, { 'artifacts.0': 'Input should be an object [input: 7]' }],
    [{ artifacts: [[]] }, { 'artifacts.0': 'Input should be an object [input: []]' }],
    [{ artifacts: [null] }, { 'artifacts.0': 'Input should be an object [input: null]' }],
    [
      { artifacts: 'x', constructor: 1 },
      { artifacts: 'Input should be a list [input: x]', constructor: 'Unknown property [input: 1]' },
    ],
    [
      { artifacts: [{ digests: { web: 'x' }, creationTimestamp: 1, constructor: {} }] },
      {
        'artifacts.0.digests.web': "String should match pattern '^[a-f0-9]{64}$' [input: x]",
        'artifacts.0.constructor': 'Unknown property [input: {}]',
      },
    ],
    [{ artifacts: [], extra: 1 }, { extra: 'Unknown property [input: 1]' }],
    [
      { artifacts: [{}] },
      { 'artifacts.0.digests': 'Field required', 'artifacts.0.creationTimestamp': 'Field required' },
    ],
    [
      item({ web: 'A'.repeat(65) }),
      { 'artifacts.0.digests.web': `String should match pattern '^[a-f0-9]{64}$' [input: ${'A'.repeat(65)}]` },
    ],
    [item({ 'web:1': 7 }), { 'artifacts.0.digests.web:1': "String should match pattern '^[a-f0-9]{64}$' [input: 7]" }],
    [item({ web: '' }), { 'artifacts.0.digests.web': "String should match pattern '^[a-f0-9]{64}$' [input: ]" }],
    [item([]), { 'artifacts.0.digests': 'Input should be an object [input: []]' }],
    [item('x'), { 'artifacts.0.digests': 'Input should be an object [input: x]' }],
    [item({ web: A }, 1.5), { 'artifacts.0.creationTimestamp': 'Input should be a whole number [input: 1.5]' }],
    [
      item({ web: A }, 1_700_000_000_000),
      {
        'artifacts.0.creationTimestamp':
          'Input should be a time from 1970 to 9999, in epoch seconds [input: 1700000000000]',
      },
    ],
    [item({ web: A }, '1'), { 'artifacts.0.creationTimestamp': 'Input should be a whole number [input: 1]' }],
    [item({ web: A }, null), { 'artifacts.0.creationTimestamp': 'Field required' }],
    [
      { artifacts: [{ digests: { web: A }, creationTimestamp: 1, podName: 'p' }] },
      { 'artifacts.0.podName': 'Unknown property [input: p]' },
    ],
  ])('%j is refused', (body, errors) => {
    expect(report(body)).toEqual(errors);
  });

  it('is taken with digests in lower case, under the very names that were given', () => {
    const digests = { 'shop/web:1.4': A.toUpperCase(), constructor: A, toString: A };
    expect(valueOf(dockerReport.shape, item(digests))).toEqual({
      artifacts: [{ digests: Object.keys(digests).map((name) => [name, A]), creationTimestamp: 1 }],
    });
  });

  it('may be empty, or null', () => {
    expect(valueOf(dockerReport.shape, { artifacts: [] })).toEqual({ artifacts: [] });
    expect(valueOf(dockerReport.shape, { artifacts: null })).toEqual({ artifacts: [] });
  });

  it('shows at most 100 characters of a value', () => {
    const text = report(item({ web: 'z'.repeat(5_000) }))['artifacts.0.digests.web'];
    expect(text).toContain(`[input: ${'z'.repeat(100)}]`);
  });

  it('names each of many bad fields', () => {
    const bad = Array.from({ length: 1_000 }, () => ({ digests: { web: 'x' }, creationTimestamp: 'y' }));
    expect(Object.keys(report({ artifacts: bad }))).toHaveLength(2_000);
  });
});

describe('an environment', () => {
  const body = { name: 'production', type: 'docker', description: '' };

  it.each([
    [
      { ...body, name: 'foo bar' },
      { name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$' [input: foo bar]" },
    ],
    [{ ...body, name: 'a\n' }, { name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$' [input: a\n]" }],
    [
      { ...body, type: 'k8s' },
      {
        type: "Input should be 'K8S', 'ECS', 'S3', 'lambda', 'server', 'docker', 'azure-apps', 'cloud-run', 'logical' [input: k8s]",
      },
    ],
    [{ ...body, type: ['docker'] }, { type: 'Input should be a text [input: ["docker"]]' }],
    [{ ...body, name: undefined }, { name: 'Field required' }],
    [{ ...body, name: 7 }, { name: 'Input should be a text [input: 7]' }],
    [{ ...body, include_scaling: 'true' }, { include_scaling: 'Input should be true or false [input: true]' }],
    [{ ...body, included_environments: 'a' }, { included_environments: 'Input should be a list of texts [input: a]' }],
    [{ ...body, included_environments: ['a', 7] }, { 'included_environments.1': 'Input should be a text [input: 7]' }],
    [{ ...body, description: '\ud800' }, { description: 'Text holds half of a surrogate pair' }],
  ])('%j is refused', (input, errors) => {
    expect(errorsOf(CreateEnvironmentPutInput, input)).toEqual(errors);
  });

  it('may leave optional fields out, or give null for them', () => {
    const input = { ...body, include_scaling: true, policies: null, included_environments: null };
    const value = valueOf(CreateEnvironmentPutInput, input);
    expect({ ...value }).toEqual({ ...body, include_scaling: true });
    expect(Object.keys(value)).not.toContain('policies');
  });

  it('refuses unknown properties by name, whatever their values', () => {
    const input = { ...body, later: 1, constructor: 2 };
    expect(errorsOf(CreateEnvironmentPutInput, input)).toEqual({
      later: 'Unknown property [input: 1]',
      constructor: 'Unknown property [input: 2]',
    });
  });
});

describe('a flow with a list as its template', () => {
  it.each([
    [['unit-test'], { template: "Input should contain 'artifact'" }],
    ['version: 1', { template: 'Input should be a list of texts [input: version: 1]' }],
    [['artifact', 1], { 'template.1': 'Input should be a text [input: 1]' }],
  ])('template %j is refused', (template, errors) => {
    expect(errorsOf(FlowPutInput, { name: 'shop', template })).toEqual(errors);
  });

  it('is taken', () => {
    expect(valueOf(FlowPutInput, { name: 'shop', template: ['artifact'] })).toEqual({
      name: 'shop',
      template: ['artifact'],
    });
  });
});

describe('an artifact', () => {
  const commit = { sha1: SHA, message: 'Sell tea', author: 'Ada', branch: 'main', timestamp: 1_700_000_000, url: null };
  const body = {
    fingerprint: A,
    filename: 'web',
    git_commit: SHA,
    git_commit_info: commit,
    trail_name: 't',
    template_reference_name: 'web',
  };

  it.each([
    [{ fingerprint: `sha512:${'a'.repeat(64)}` }, ['fingerprint']],
    [{ filename: '' }, ['filename']],
    [{ template_reference_name: null }, ['template_reference_name']],
    [{ trail_name: undefined, template_reference_name: '' }, ['template_reference_name']],
    [{ trail_name: 'foo?$bar' }, ['trail_name']],
    [{ git_commit: SHA.slice(1) }, ['git_commit']],
    [{ git_commit_info: [commit] }, ['git_commit_info']],
    [{ git_commit_info: 'x' }, ['git_commit_info']],
    [{ git_commit_info: { ...commit, sha1: 'x' } }, ['git_commit_info.sha1']],
    [{ git_commit_info: { ...commit, timestamp: '1' } }, ['git_commit_info.timestamp']],
    [{ fingerprint: 'x', constructor: 'y' }, ['fingerprint']],
    [{ external_urls: { log: { href: 'x', fingerprint: '7509e5bda0' } } }, ['external_urls.log.fingerprint']],
    [{ external_urls: { log: {} } }, ['external_urls.log.href']],
    [{ annotations: { 'a.b': 'x' } }, ['annotations.a.b']],
    [{ annotations: { a: 1 } }, ['annotations.a']],
    [{ commits_list: [commit, null] }, ['commits_list.1']],
    [{ repo_info: { url: 7 } }, ['repo_info.url']],
    [{ fingerprint: 1, filename: 1 }, ['fingerprint', 'filename']],
  ])('is refused (%#)', (change, fields) => {
    expect(Object.keys(errorsOf(ArtifactPostInput, { ...body, ...change })).sort()).toEqual(fields.sort());
  });

  it('is taken, with nulls as fields left out', () => {
    const repo_info = { url: 'https://github.com/acme/shop', name: 'acme/shop', additional_info: { any: null } };
    const value = valueOf(ArtifactPostInput, { ...body, repo_info, annotations: null, unknown: 1 });
    expect(value.git_commit_info).not.toHaveProperty('url');
    expect(value.repo_info?.additional_info).toEqual({ any: null });
    expect(value).not.toHaveProperty('annotations');
    expect(value).not.toHaveProperty('unknown');
  });

  it('of the legacy form has neither trail nor template name', () => {
    const { trail_name: _t, template_reference_name: _n, git_commit_info: _g, ...legacy } = body;
    const value = valueOf(ArtifactPostInput, { ...legacy, repo_url: '', commits_list: [{ ...commit, parents: null }] });
    expect(value.commits_list).toEqual([{ ...commit, url: undefined }]);
  });

  it('cannot smuggle in what cannot be stored', () => {
    const nested = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`) as unknown;
    expect(errorsOf(ArtifactPostInput, { ...body, repo_info: { additional_info: { nested } } })).toEqual({
      body: 'Input is nested more than 64 levels deep',
    });
    const endless = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
    expect(errorsOf(ArtifactPostInput, endless)).toEqual({ body: 'Input is nested more than 64 levels deep' });
    const huge = JSON.parse('{"n":1e999}') as unknown;
    expect(errorsOf(ArtifactPostInput, { ...body, repo_info: { additional_info: huge } })).toEqual({
      'repo_info.additional_info.n': 'Number is too large',
    });
  });
});

describe('the number of artifacts that a body would report', () => {
  it.each<[unknown, number]>([
    [{ artifacts: [{ digests: { a: A, b: A } }, { digests: { a: A } }] }, 3],
    [{ artifacts: [{ digests: {} }, {}, null, 'x', { digests: 'x' }] }, 5],
    [{ artifacts: [] }, 0],
    [{ artifacts: 'x' }, 0],
    [{}, 0],
    [[{}], 0],
    [null, 0],
    [undefined, 0],
  ])('of %j is %i', (body, count) => expect(artifactCount(body)).toBe(count));
});
