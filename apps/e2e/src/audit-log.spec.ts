import type { NewApiKey, RotatedApiKey } from '@assurance/contracts/access/answers/access';
import type { AuditLogEntry, AuditLogPage } from '@assurance/contracts/audit/answers/audit-log';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import { newMember } from './support/joining';
import { NOTIFICATIONS } from './support/notifying';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  policy,
  post,
  PROVENANCE,
  repository,
} from './support/samples';
import { onOwnServices } from './support/world';

const SECRET = 'https://hooks.example.com/services/T000/B000/unguessable-part-1234';

/** Who changed what: the log of administrative changes. */
onOwnServices((world) => {
  const admin = () => world().as('admin');
  const page = (query: string) => admin().get<AuditLogPage>(`/audit-log/acme?${query}`);
  const entries = async (query: string) => (await page(query)).entries;
  const brief = ({ type, subject, before, after }: AuditLogEntry) => [type, subject.name, before, after];

  it('shows who changed what, with the values before and after', async () => {
    const env = await environment(admin(), { description: 'old' });
    await admin().expect(200, 'PUT', '/environments/acme', {
      json: { name: env, type: 'docker', description: 'new' },
    });
    const renamed = fresh('env');
    await admin().expect(200, 'PUT', `/environments/acme/${env}/rename`, { json: { new_name: renamed } });
    const [updated] = await entries(`search=${env}&type=environment_updated`);
    expect(updated).toMatchObject({
      actor: { name: 'ci-admin' },
      subject: { kind: 'environment', name: env },
      before: { description: 'old' },
      after: { description: 'new' },
    });
    expect(Math.abs((updated?.created_at ?? 0) - Date.now() / 1000)).toBeLessThan(120);
    const [last] = await entries(`search=${renamed}`);
    expect(last).toMatchObject({ type: 'environment_renamed', before: { name: env }, after: { name: renamed } });
  });

  it('has members, keys, policies, targets, tags, flows, retention and holds', async () => {
    const begun = (await page('')).total_count;
    const user = fresh('kim');
    await newMember(world(), admin(), user, 'reader');
    await admin().expect(200, 'PUT', `/organizations/acme/members/${user}`, { json: { role: 'member' } });
    await admin().expect(200, 'DELETE', `/organizations/acme/members/${user}`);
    const env = await environment(admin());
    const rules = await policy(admin(), PROVENANCE);
    await attach(admin(), env, rules);
    await admin().expect(200, 'DELETE', `/environments/acme/${env}/policies`, { json: { policy_names: [rules] } });
    const account = fresh('account');
    await admin().expect(201, 'POST', '/service-accounts/acme', { json: { name: account, privilege: 'reader' } });
    await admin().expect(201, 'POST', `/service-accounts/acme/${account}/api-keys`, { json: { description: 'ci' } });
    await admin().expect(201, 'PUT', NOTIFICATIONS, {
      json: {
        name: fresh('alerts'),
        environments: [env],
        triggers: ['ON_STARTED_ARTIFACT'],
        targets: [{ type: 'WEBHOOK', webhook: SECRET }],
      },
    });
    await admin().expect(200, 'PUT', '/retention/acme', { json: { payloads_days: 100 } });
    const results = await entries(`sort_direction=asc&per_page=100`);
    const types = results.slice(begun).map(({ type }) => type);
    expect(types).toEqual([
      'member_invited',
      'invitation_accepted',
      'member_added',
      'member_role_changed',
      'member_removed',
      'environment_created',
      'policy_created',
      'policy_attached',
      'policy_detached',
      'service_account_created',
      'api_key_added',
      'notification_created',
      'retention_set',
    ]);
    const [, , , changed] = results.slice(begun);
    expect(changed?.before).toEqual({ role: 'reader', source: 'invitation' });
    expect(changed?.after).toEqual({ role: 'member', source: 'app' });
    expect(JSON.stringify(results)).not.toContain('unguessable');
    expect((await entries('subject=retention')).map(brief)[0]).toEqual([
      'retention_set',
      expect.any(String),
      {},
      { attachments_days: null, payloads_days: 100, snapshots_days: null },
    ]);
  });

  it('gives the names of ids in its values, and of subjects whose event has the id alone', async () => {
    const [env, heldFlow, rules, other] = [
      await environment(admin()),
      await flow(admin()),
      await policy(admin(), PROVENANCE),
      await environment(admin()),
    ];
    await attach(admin(), env, rules);
    const attached = await entries(`search=${env}&type=policy_attached`);
    const id = attached[0]?.after[`policies.${rules}`] as string;
    expect(attached[0]?.names).toEqual({ [id]: rules });

    const logical = await environment(admin(), { type: 'logical', included_environments: [env, other] });
    const [created] = await entries(`search=${logical}&type=environment_created`);
    const members = created?.after['included_environments'] as string[];
    const renamed = fresh('env');
    await admin().expect(200, 'PUT', `/environments/acme/${other}/rename`, { json: { new_name: renamed } });
    const [later] = await entries(`search=${logical}&type=environment_created`);
    expect(members.map((member) => later?.names[member]).sort()).toEqual([env, renamed].sort());

    await admin().expect(200, 'PUT', `/retention/acme/holds/${heldFlow}`, { json: { reason: 'Case 7' } });
    const [holdEntry] = await entries(`search=${heldFlow}&type=hold_placed`);
    expect(holdEntry?.subject.name).toBe(heldFlow);
    expect(holdEntry?.names).toEqual({ [holdEntry?.after['flow_id'] as string]: heldFlow });

    const account = fresh('account');
    await admin().expect(201, 'POST', '/service-accounts/acme', { json: { name: account, privilege: 'reader' } });
    const keyBody = { json: { description: `${account} in the night` } };
    await admin().expect(201, 'POST', `/service-accounts/acme/${account}/api-keys`, keyBody);
    await admin().expect(200, 'DELETE', `/service-accounts/acme/${account}`);
    const [key] = await entries(`search=in the night&type=api_key_added`);
    expect(key?.subject.name).toBe(`${account} in the night`);
    expect(Object.values(key?.names ?? {})).toEqual([account]);

    const repo = { ...repository(), name: `acme/${fresh('repo')}` };
    await post(admin(), heldFlow, artifact(digest(repo.name), { repo_info: repo }));
    const { repos } = await admin().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(repo.name)}`);
    await admin().expect(200, 'PATCH', `/tags/acme/repo/${repos[0]?.id}`, {
      json: { set_tags: { team: 'night' } },
    });
    const [tagged] = await entries(`search=${encodeURIComponent(repo.name)}&type=repo_tagged`);
    expect(tagged?.subject.name).toBe(repo.name);
  });

  it('says what a revoked key was, also one that took the place of another', async () => {
    const account = fresh('account');
    await admin().expect(201, 'POST', '/service-accounts/acme', { json: { name: account, privilege: 'reader' } });
    const keys = `/service-accounts/acme/${account}/api-keys`;
    const made = await admin().expect<NewApiKey>(201, 'POST', keys, { json: { description: account } });
    const rotated = await admin().expect<RotatedApiKey>(201, 'POST', `${keys}/${made.id}/rotate`, {
      json: { grace_period_hours: 1 },
    });
    await admin().expect(200, 'DELETE', `${keys}/${rotated.id}`);
    await admin().expect(200, 'DELETE', `${keys}/${made.id}`);
    const all = await entries('type=api_key_added&type=api_key_revoked&sort_direction=asc&per_page=100');
    const added = all.find(({ type, subject }) => type === 'api_key_added' && subject.id === made.id);
    const revoked = all.filter(({ type, subject }) => type === 'api_key_revoked' && subject.name === account);
    const until = rotated.grace_period_expires_at;
    expect(revoked.map(({ subject, before, after }) => [subject.id, before, after])).toEqual([
      [rotated.id, added?.after, {}],
      [made.id, { ...added?.after, expires_at: until, replaced_by: rotated.id }, {}],
    ]);
  });

  it('is filtered by search, type, subject, actor and time, and paged', async () => {
    const env = await environment(admin());
    const [entry] = await entries(`search=${env.toUpperCase()}`);
    const at = entry?.created_at ?? 0;
    expect(entry?.subject.name).toBe(env);
    for (const query of [
      `search=${env}&type=environment_created&subject=environment&actor=ci-admin`,
      `search=${env}&from=${at}&to=${at}`,
      `search=${env}&type=flow_created,environment_created`,
    ]) {
      expect((await page(query)).total_count).toBe(1);
    }
    for (const query of ['type=flow_created', 'subject=flow', 'actor=nobody', `from=${at + 60}`, `to=${at - 60}`]) {
      expect((await page(`search=${env}&${query}`)).total_count).toBe(0);
    }
    const all = await page('per_page=100');
    const times = all.entries.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const followed: AuditLogEntry[] = [];
    for (let next: string | undefined = '/audit-log/acme?per_page=1'; next !== undefined;) {
      const some: AuditLogPage = await admin().get<AuditLogPage>(next.slice(next.indexOf('/audit-log')));
      followed.push(...some.entries);
      next = some._links?.next;
    }
    expect(followed).toEqual(all.entries);
  });

  it('names the parameter that is wrong', async () => {
    const wrong = async (query: string) =>
      (await admin().expect<{ errors: object }>(400, 'GET', `/audit-log/acme?${query}`)).errors;
    expect(Object.keys(await wrong('from=2&to=1'))).toEqual(['from']);
    expect(Object.keys(await wrong('sort_direction=up'))).toEqual(['sort_direction']);
    expect(Object.keys(await wrong('per_page=101'))).toEqual(['per_page']);
  });

  it('is read by auditors, who change nothing', async () => {
    const auditor = world().as('auditor');
    expect((await auditor.get<AuditLogPage>('/audit-log/acme')).total_count).toBeGreaterThan(0);
    await auditor.expect(200, 'GET', '/events/acme');
    await auditor.refused(403, 'PUT', '/environments/acme', { json: { name: fresh('env'), type: 'docker' } });
  });

  it.each(['member', 'snapshotter', 'reader'] as const)('is refused to the role %s', async (role) => {
    await world().as(role).expect(403, 'GET', '/audit-log/acme');
    await world().as(role).expect(403, 'GET', '/events/acme');
  });
});
