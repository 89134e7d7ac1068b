import { shape } from '@assurance/testing/interface/table';
import { valueProblems } from '@assurance/testing/interface/values';
import type { RequestParts } from './support/caller';
import { flowForm, policyForm, PROVENANCE } from './support/samples';
import { onOwnServices } from './support/world';

/** The types into which the newest Terraform provider decodes answers, as shapes. A number that is `int` must have no fraction. */
const TYPES = {
  environment: `{ name: text, type: text, description: text, include_scaling: bool, last_modified_at: number,
    last_reported_at: number | null, policies: [text], included_environments?: [text] | null, tags: { *: text } }`,
  flow: '{ name: text, description: text, visibility: text, template: text, tags: { *: text } }',
  policy: `{ name: text, description: text, type: text, created_at: number, consuming_envs: [text],
    versions: [{ version: int, comment: text, created_by: text, timestamp: number, policy_yaml: text }] }`,
  attestationType: `{ name: text, description?: text, archived: bool, versions: [{ version: int, timestamp: number, created_by: text,
    type_schema: object | null, evaluator: { content_type: text, rules: [text] } | null }] }`,
  notification: `{ name: text, type: text, number: int, environments: [text], triggers: [text], created_by: text, created_at: number,
    last_modified_at: number, targets: [{ type: text, webhook?: text, payload_version?: text | null, emails?: [text] }] }`,
  control: `{ identifier: text, name: text, description: text, links: { *: text }, version: int, archived: bool, created_by: text,
    created_at: number, tags: { *: text } }`,
  controlVersion: `{ identifier: text, version: int, name: text, description: text, links: { *: text }, created_at: number,
    created_by: text, status: text }`,
  account: '{ name: text, description: text, privilege: text, created_at: number }',
  key: '{ id: text, description: text, created_at: number, expires_at: int, last_used_at: number }',
  newKey: '{ id: text, key: text, description: text, created_at: number, expires_at: int }',
  config: `{ notification_type: text, scope: null, detection: object, last_notified_at: number | null,
    targets: [{ type: text, webhook?: text, payload_version?: text | null, emails?: [text] }],
    last_failure: { failed_at: number, error: text } | null }`,
} as const;
type Type = keyof typeof TYPES;

onOwnServices((world) => {
  /** Sends a request as the provider does, and decodes the answer into a type; null: it is not decoded. */
  async function apply<T>(
    status: number,
    method: string,
    path: string,
    sent: RequestParts,
    type: Type | null,
  ): Promise<T> {
    const body = await world().as('admin').expect<T>(status, method, path, sent);
    if (type !== null) expect(valueProblems(shape(TYPES[type]), body, path)).toEqual([]);
    return body;
  }
  const read = <T>(path: string, type: Type) => apply<T>(200, 'GET', path, {}, type);
  const list = async (path: string, type: Type) => {
    const items = await world().as('admin').get<unknown[]>(path);
    expect(items.length).toBeGreaterThan(0);
    expect(items.flatMap((item) => valueProblems(shape(TYPES[type]), item, path))).toEqual([]);
  };

  it('decodes environments, their policies and flows, and finds what it set', async () => {
    const unset = { policies: null, included_environments: null, include_scaling: false };
    const json = { name: 'blue', type: 'K8S', description: 'Blue', ...unset };
    await apply(201, 'PUT', '/environments/acme', { json }, null);
    await apply(200, 'PUT', '/environments/acme', { json }, null);
    const all = { name: 'colours', type: 'logical', description: '', ...unset, included_environments: ['blue'] };
    await apply(201, 'PUT', '/environments/acme', { json: all }, null);
    await apply(200, 'PATCH', '/environments/acme/blue', { json: { description: '' } }, null);
    await apply(201, 'PUT', '/policies/acme', { form: policyForm({ name: 'proven' }, PROVENANCE) }, null);
    await apply(200, 'POST', '/environments/acme/blue/policies', { json: { policy_names: ['proven'] } }, null);
    expect(await read('/environments/acme/blue', 'environment')).toMatchObject({
      description: '',
      policies: ['proven'],
    });
    expect(await read('/environments/acme/colours', 'environment')).toMatchObject({ included_environments: ['blue'] });
    await list('/environments/acme', 'environment');
    expect(await read('/policies/acme/proven', 'policy')).toMatchObject({ versions: [{ policy_yaml: PROVENANCE }] });
    const detach = { json: { policy_names: ['proven'] } };
    await apply(200, 'DELETE', '/environments/acme/blue/policies', detach, null);
    await apply(201, 'PUT', '/flows/acme/template_file', { form: flowForm({ name: 'paint', description: '' }) }, null);
    expect(await read('/flows/acme/paint', 'flow')).toMatchObject({ visibility: 'private' });
    await list('/flows/acme', 'flow');
    await apply(200, 'PUT', '/environments/acme/blue/archive', {}, null);
    await world().as('admin').refused(404, 'GET', '/environments/acme/blue');
    await apply(200, 'PUT', '/flows/acme/paint/archive', {}, null);
  });

  it('decodes types of attestations, with the newest version first', async () => {
    const evaluator = { content_type: 'jq', rules: ['.depth > 1'] };
    for (const rules of [evaluator.rules, ['.depth > 2']]) {
      const form = flowForm({ name: 'depth', description: 'Deep', evaluator: { ...evaluator, rules } });
      form.set('type_schema', new Blob(['{"type":"object"}']), 'schema.json');
      await apply(201, 'POST', '/custom-attestation-types/acme', { form }, null);
    }
    expect(await read('/custom-attestation-types/acme/depth', 'attestationType')).toMatchObject({
      versions: [
        { version: 2, evaluator: { rules: ['.depth > 2'] } },
        { version: 1, evaluator },
      ],
    });
    await apply(200, 'PUT', '/custom-attestation-types/acme/depth/archive', {}, null);
  });

  it('decodes notifications, and finds a new one by its name', async () => {
    const path = '/organizations/acme/environments_notifications';
    const targets = [
      { type: 'WEBHOOK', webhook: 'https://hooks.example.com/paint', payload_version: '1.0' },
      { type: 'EMAIL', emails: ['paint@example.com'] },
    ];
    const json = { name: 'paint', type: 'env', environments: [], triggers: ['ON_STARTED_ARTIFACT'], targets };
    await apply(201, 'PUT', path, { json }, null);
    await list(path, 'notification');
    const [answer] = await world().as('admin').get<{ number: number }[]>(path);
    await apply(200, 'PUT', `${path}/${answer?.number}`, { json }, null);
    expect(await read(`${path}/${answer?.number}`, 'notification')).toMatchObject({
      targets: [{}, { emails: ['paint@example.com'] }],
    });
    await apply(200, 'DELETE', `${path}/${answer?.number}`, {}, null);
    await world().as('admin').refused(404, 'GET', `${path}/${answer?.number}`);
  });

  it('decodes the control that each of its writes answers with, and each version', async () => {
    const links = { wiki: 'https://wiki.example.com/paint' };
    const body = { identifier: 'PAINT-1', name: 'Dry', description: 'Dry paint', links };
    expect(await apply(201, 'POST', '/controls/acme', { json: body }, 'control')).toMatchObject(body);
    const changed = { name: 'Dried', description: '', links: {} };
    const path = '/controls/acme/PAINT-1';
    expect(await apply(200, 'PUT', path, { json: changed }, 'control')).toMatchObject({ ...changed, version: 2 });
    expect(await apply(200, 'POST', `${path}/archive`, {}, 'control')).toMatchObject({ archived: true });
    expect(await apply(200, 'POST', `${path}/unarchive`, {}, 'control')).toMatchObject({ archived: false });
    expect(await read(path, 'control')).toMatchObject(changed);
    expect(await read(`${path}/versions/1`, 'controlVersion')).toMatchObject({ name: 'Dry', links });
    const { controls } = await world().as('admin').get<{ controls: unknown[] }>('/controls/acme?page=1&per_page=100');
    expect(controls.flatMap((control) => valueProblems(shape(TYPES.control), control, 'control'))).toEqual([]);
  });

  it('decodes service accounts and their keys', async () => {
    const [all, path] = ['/service-accounts/acme', '/service-accounts/acme/painter'];
    const json = { name: 'painter', description: 'Paints', privilege: 'member' };
    expect(await apply(201, 'POST', all, { json }, 'account')).toMatchObject(json);
    const changed = { description: 'Painted', privilege: 'reader' };
    expect(await apply(200, 'PATCH', path, { json: changed }, 'account')).toMatchObject(changed);
    expect(await read(path, 'account')).toMatchObject(changed);
    const input = { json: { description: 'brush', expires_at: 4_000_000_000 } };
    const key = await apply<{ id: string }>(201, 'POST', `${path}/api-keys`, input, 'newKey');
    await list(`${path}/api-keys`, 'key');
    await read(`${path}/api-keys/${key.id}`, 'key');
    await apply(200, 'DELETE', `${path}/api-keys/${key.id}`, {}, null);
    await apply(200, 'DELETE', path, {}, null);
    await world().as('admin').refused(404, 'GET', path);
  });

  it('decodes the warning of keys that end, set or not', async () => {
    const path = '/notification-config/acme/api_key_expiry';
    expect(await read(path, 'config')).toMatchObject({ notification_type: 'api_key_expiry', targets: [] });
    const targets = [
      { type: 'EMAIL', emails: ['paint@example.com'] },
      { type: 'SLACK', webhook: 'https://hooks.example.com/slack' },
      { type: 'WEBHOOK', webhook: 'https://hooks.example.com/paint', payload_version: '1.0' },
    ];
    await apply(201, 'PUT', path, { json: { targets } }, null);
    expect(await read<{ targets: unknown[] }>(path, 'config')).toMatchObject({ targets: [{}, {}, {}] });
    expect(await apply(200, 'DELETE', path, {}, null)).toBe('OK');
    await world().as('admin').refused(400, 'GET', '/notification-config/acme/colours');
  });

  it('tags flows and environments', async () => {
    await apply(201, 'PUT', '/flows/acme', { json: { name: 'varnish' } }, null);
    const json = { set_tags: { team: 'paint' }, remove_tags: null };
    await apply(200, 'PATCH', '/tags/acme/flow/varnish', { json }, null);
    expect(await read('/flows/acme/varnish', 'flow')).toMatchObject({ tags: { team: 'paint' } });
  });
});
