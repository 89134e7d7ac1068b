import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exceptionsIn } from '@assurance/testing/interface/exceptions';
import { parametersOf, shape, TABLE } from '@assurance/testing/interface/table';
import { findUnfilled } from '@assurance/testing/interface/values';
import { userKeyOf } from './support/declared';
import { fillControls, fillEnvironments, fillFlows, fillNames, fillNotifications } from './support/interface/fill';
import { Client, repoIdOf } from './support/interface/organization';
import { digest, sha1 } from './support/samples';
import { onOwnServices } from './support/world';

const { allows } = exceptionsIn(readFileSync(resolve(__dirname, '../../../docs/reference/compatibility.md'), 'utf8'));
const operations = Object.entries(TABLE);
const ofUsers = (operation: string) => operation.includes(' /user/');

/** Values of parameters, by name. Others are texts that nothing has. */
const VALUES: Readonly<Record<string, string>> = {
  page: '1',
  per_page: '10',
  page_size: '10',
  sort: 'name',
  sort_direction: 'asc',
  sort_dir: 'asc',
  sort_by: 'when',
  reverse: 'True',
  case_sensitive: 'True',
  archived: 'False',
  covered: 'True',
  is_compliant: 'True',
  start_ts: '0',
  end_ts: '9999999999',
  from_timestamp: '0',
  to_timestamp: '9999999999',
  version: '1',
  from: '2020-01-01T00:00:00Z',
  to: '2100-01-01T00:00:00Z',
  start: '1',
  end: 'NOW',
  interval: '1..NOW',
  tag: 'team:tea',
  flow_tag: 'team=tea',
  provider: 'github',
  space_id: 'root',
  vcs_instance: 'github.com',
  namespace: 'acme',
  event_type: 'added',
  event_types: 'started,changed',
  role: 'member',
  source: 'app',
  commit_list: sha1('tea'),
  name_regex: '^t',
  branch: 'main',
};
/** Values of parameters that mean another thing in one operation. */
const VALUES_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /environments/{org}': { type: 'docker' },
  'GET /attestations/{org}': { type: 'junit' },
};
/** Parameters that need another parameter, with that parameter. */
const WITH: Readonly<Record<string, string>> = {
  'GET /attestations/{org}/list_attestations_for_criteria': `commit_list=${sha1('tea')}`,
};

onOwnServices((world) => {
  const admin = () => world().as('admin');
  const person = () => world().withHeader(`Bearer ${userKeyOf('admin')}`);
  let client: Client;
  let user: Client;
  /** The names of things for parameters of queries. */
  let namesByKind: Readonly<Record<string, string>> = {};

  beforeAll(async () => {
    const names = {
      org: 'acme',
      flow: 'tea',
      trail: 'build-1',
      env: 'live',
      expr: '-1',
      fingerprint: digest('tea web'),
      sha: sha1('tea'),
      value: sha1('tea'),
      identifier: 'TEA-1',
      policy: 'proven',
      name: 'builds',
      n: '1',
      type_name: 'coverage',
      repo_name: 'acme/tea',
    };
    client = new Client(admin(), names);
    user = new Client(person(), { org: 'acme' });
    await user.send('PUT /user/{org}', { json: null });
    await fillControls(client);
    await fillFlows(client);
    await fillEnvironments(client);
    await fillNotifications(client);
    const repo = await repoIdOf(admin(), names.repo_name);
    client.names['repo'] = repo;
    await fillNames(client, repo);
    const { id: flow_id = '' } = await admin().get<{ id?: string }>('/flows/acme/tea');
    const idOf = async (name: string) =>
      (await admin().get<{ attestation_id: string }[]>(`/attestations/acme/tea/trail/build-1/${name}`))[0]
        ?.attestation_id ?? '';
    const { _links } = await admin().get<{ _links: { next?: string } }>('/attestations/acme?per_page=1');
    namesByKind = {
      flow: 'tea',
      flow_name: 'tea',
      flow_names: 'tea,no provenance',
      flow_id,
      env: 'live',
      env_name: 'live',
      environment_name: 'live',
      policy_name: 'proven',
      repo_name: 'acme/tea',
      repo_names: 'acme/tea',
      repo_id: repo,
      repo_inner_id: repo,
      trail: 'build-1',
      id: repo,
      fingerprint: names.fingerprint,
      attestation_id: await idOf('tests'),
      decision_id: await idOf('decided'),
      after: new URL(_links.next ?? '').searchParams.get('after') ?? '',
      snappish1: 'live#1',
      snappish2: 'live',
    };
  }, 120_000);

  /** Other parameters of a path than those of most. */
  function pathOf(operation: string): Readonly<Record<string, string>> {
    if (operation.includes('/custom-attestation-types/')) return { name: 'coverage' };
    if (operation.includes('/policies/{org}/{name}')) return { name: 'proven' };
    if (operation.endsWith('/{name}') && operation.includes('/attestations/')) return { name: 'tests' };
    if (operation.includes('attestation/{id}')) return { id: namesByKind['attestation_id'] ?? '' };
    if (operation.includes('decisions/{id}')) return { id: namesByKind['decision_id'] ?? '' };
    if (operation.endsWith('/{repo}')) return { repo: 'acme/tea' };
    return operation.includes('/versions/{n}') ? { n: '1' } : {};
  }

  function valueOf(operation: string, name: string): string {
    const result = VALUES_OF[operation]?.[name] ?? VALUES[name] ?? namesByKind[name] ?? 'tea';
    return `${name}=${encodeURIComponent(result)}`;
  }

  const reads = operations.filter(([operation]) => operation.startsWith('GET '));
  const unexcused = () => [client, user].flatMap(({ problems }) => problems.filter((problem) => !allows(problem)));

  it('takes bodies with everything that they may have', () => {
    expect(unexcused()).toEqual([]);
    const empty = operations.flatMap(([operation, { body, form }]) => {
      if (operation.startsWith('GET ')) return [];
      const sent = [client, user].flatMap((client) => client.sent.get(operation) ?? []);
      if (sent.length === 0) return [`${operation} was not sent`];
      const text = body ?? form;
      return text === undefined ? [] : findUnfilled(shape(text), sent, operation);
    });
    expect(empty).toEqual([]);
  });

  it.each(reads)('%s answers with what clients need', async (operation, entry) => {
    const all = parametersOf(entry);
    const needed = all.filter(({ required }) => required).map(({ name }) => valueOf(operation, name));
    const base = [...needed, ...(WITH[operation] === undefined ? [] : [WITH[operation]])].join('&');
    const from = ofUsers(operation) ? user : client;
    from.problems.length = 0;
    await from.send(operation, {}, pathOf(operation), base === '' ? '' : `?${base}`);
    // Each parameter alone, and all of a page together.
    const paged = all
      .filter(({ name }) => name === 'page' || name === 'per_page')
      .map(({ name }) => valueOf(operation, name));
    for (const query of [
      ...all.filter(({ required }) => !required).map(({ name }) => valueOf(operation, name)),
      paged.join('&'),
    ]) {
      if (query !== '')
        await from.send(operation, {}, pathOf(operation), `?${[base, query].filter((part) => part !== '').join('&')}`);
    }
    expect(unexcused()).toEqual([]);
  });
});
