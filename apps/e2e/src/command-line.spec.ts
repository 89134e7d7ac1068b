import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { shape } from '@assurance/testing/interface/table';
import { valueProblems } from '@assurance/testing/interface/values';
import { userKeyOf } from './support/declared';
import { type Command, WRITING } from './support/interface/commands';
import { READING } from './support/interface/commands-that-read';
import { repoIdOf } from './support/interface/organization';
import { onOwnServices } from './support/world';

const COMMANDS = [...WRITING, ...READING];
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
/** Commands whose paths hold ids of earlier answers. */
const BY_ID = [
  'create service-account',
  'list service-accounts',
  'get service-account',
  'update service-account',
  'delete service-account',
  'create api-key',
  'list api-keys',
  'get api-key',
  'rotate api-key',
  'delete api-key',
  'tag repo',
  'get repo --id',
  'get attestation --attestation-id',
  'evaluate --server-side',
];
const nameOf = (command: string) => command.replace(/ --.*$/, '');

/** The requests of every command of the command line that talks to a server, and what each reads from the answer. */
onOwnServices((world) => {
  /** Sends a request as the command line does: reads have a content type, writes without a body send `null`. */
  async function run({ command, method, path, json, form, status, reads, as }: Command): Promise<unknown> {
    const caller = as === 'user' ? world().withHeader(`Bearer ${userKeyOf('admin')}`) : world().as('admin');
    const body = method === 'GET' ? { headers: JSON_TYPE } : { json: json ?? null };
    const answer = await caller.send(method, path, form === undefined ? body : { form: formOf(form) });
    const problems = status.includes(answer.status)
      ? valueProblems(shape(reads), answer.body, 'answer')
      : [`${answer.status} ${answer.text.slice(0, 500)}`];
    expect([command, method, path, problems]).toEqual([command, method, path, []]);
    return answer.body;
  }

  const read = (command: string, path: string, reads: string) =>
    run({ command, method: 'GET', path, status: [200], reads });
  const write = (command: string, method: string, path: string, json: unknown, status: number, reads: string) =>
    run({ command, method, path, json, status: [status], reads });

  it('serves every command in turn', async () => {
    for (const command of COMMANDS) await run(command);
  }, 120_000);

  it('serves commands on service accounts and their keys', async () => {
    const account = '{ name: text, description: text, privilege: text, created_at: number }';
    const key =
      '{ id: text, description: text, created_at: int | number, expires_at: int, last_used_at: int | number }';
    const keyShape = '{ id: text, key: text, description: text, created_at: number, expires_at: int }';
    const all = '/service-accounts/acme';
    await write('create service-account', 'POST', all, { name: 'cook', privilege: 'member' }, 201, account);
    await read('list service-accounts', all, `[${account}]`);
    await write('update service-account', 'PATCH', `${all}/cook`, { privilege: 'reader' }, 200, account);
    await read('get service-account', `${all}/cook`, account);
    const keys = `${all}/cook/api-keys`;
    const { id } = (await write('create api-key', 'POST', keys, { description: 'stove' }, 201, keyShape)) as {
      id: string;
    };
    await read('list api-keys', keys, `[${key}]`);
    await read('get api-key', `${keys}/${id}`, key);
    const rotated = `{ ...Key, key: text, grace_period_expires_at: number }`;
    const next = await write('rotate api-key', 'POST', `${keys}/${id}/rotate`, { grace_period_hours: 1 }, 201, rotated);
    await write('delete api-key', 'DELETE', `${keys}/${(next as { id: string }).id}`, null, 200, 'text');
    await write('delete service-account', 'DELETE', `${all}/cook`, null, 200, 'text');
  });

  it('serves commands that name things by ids of earlier answers', async () => {
    const repo = await repoIdOf(world().as('admin'), 'acme/jam');
    await write(
      'tag repo',
      'PATCH',
      `/tags/acme/repo/${repo}`,
      { set_tags: { team: 'kitchen' }, remove_tags: null },
      200,
      'text',
    );
    const repoShape = '{ id: text, name: text, url: text, provider: text | null, tags: { *: text } }';
    expect(await read('get repo --id', `/repos/acme/${repo}?id=${repo}`, repoShape)).toMatchObject({
      tags: { team: 'kitchen' },
    });
    const path = '/attestations/acme/jam/trail/cut-1/taste';
    const [attestation] = (await read('get attestation', path, '[{ attestation_id: text }]')) as {
      attestation_id: string;
    }[];
    const full =
      '{ data: [{ attestation_id: text, attestation_name: text, attestation_type: text, is_compliant: bool, html_url: text, user_data: object }] }';
    await read(
      'get attestation --attestation-id',
      `/attestations/acme?attestation_id=${attestation?.attestation_id}`,
      full,
    );
  });

  it('evaluates on the server, or says that this is not enabled', async () => {
    const json = {
      context: { trails: [{ flow: 'jam', trail: 'cut-1' }] },
      policy: { files: { 'policy.rego': 'package policy\n\nimport rego.v1\n\nallow := true\n\nviolations := []\n' } },
      params: {},
    };
    const reads = '{ id: text, status: text } | { message: text }';
    await run({
      command: 'evaluate --server-side',
      method: 'POST',
      path: '/evaluations/acme',
      json,
      status: [201, 403],
      reads,
    });
  });

  it('is named, with all commands, by the page for users', () => {
    const page = readFileSync(resolve(__dirname, '../../../docs/reference/compatibility.md'), 'utf8');
    const names = [...COMMANDS.map(({ command }) => command), ...BY_ID].map(nameOf);
    expect([...new Set(names)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

function formOf([field, data, files = {}]: NonNullable<Command['form']>): FormData {
  const form = new FormData();
  form.set(field, JSON.stringify(data));
  for (const [name, text] of Object.entries(files)) {
    form.set(name, new Blob([text], { type: 'application/octet-stream' }), `${name}.txt`);
  }
  return form;
}
