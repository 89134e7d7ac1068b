import type { PolicyAnswer } from '@assurance/contracts/policies/answers/policy';
import { attach, environment, fresh, policyForm } from './support/samples';
import { onEveryDeployment } from './support/world';

const SCHEMA = '_schema: https://assurance.example.com/schemas/policy/v1\n';
const FIRST = `${SCHEMA}# Kept as it came, \t with this.\nartifacts:\n  provenance:\n    required: true\n`;
const SECOND = `${SCHEMA}artifacts: {}\n`;

/** Specification 4.7 and 2.7. */
onEveryDeployment((world) => {
  const member = () => world().as('member');
  const list = () => member().get<PolicyAnswer[]>('/policies/acme');
  const put = (status: number, payload: object, yaml: string) =>
    member().expect(status, 'PUT', '/policies/acme', { form: policyForm(payload, yaml) });

  it('shows every field of a policy, of its events and of its versions', async () => {
    const name = fresh('policy');
    const [firstEnv, secondEnv] = [await environment(member()), await environment(member())];
    const before = Date.now() / 1000;
    await put(201, { name, description: 'What runs was built', comment: 'first' }, FIRST);
    await put(200, { name, description: 'What runs was built', comment: 'second' }, SECOND);
    await attach(member(), secondEnv, name);
    await attach(member(), firstEnv, name);
    const result = (await list()).find((policy) => policy.name === name);
    const at = expect.any(Number) as number;
    expect(result).toEqual({
      id: expect.any(String) as string,
      name,
      description: 'What runs was built',
      type: 'env',
      archived: false,
      consuming_envs: [firstEnv, secondEnv].sort(),
      created_at: at,
      created_by: 'ci-member',
      last_modified_at: at,
      events: [
        { type: 'policy_created', timestamp: at, user: 'ci-member', data: { version: 1 } },
        { type: 'policy_updated', timestamp: at, user: 'ci-member', data: { version: 2 } },
        { type: 'policy_attached', timestamp: at, user: 'ci-member', data: { environment: secondEnv } },
        { type: 'policy_attached', timestamp: at, user: 'ci-member', data: { environment: firstEnv } },
      ],
      versions: [
        {
          version: 1,
          comment: 'first',
          created_by: 'ci-member',
          timestamp: at,
          policy_yaml: FIRST,
          accepts_unmatched: false,
        },
        {
          version: 2,
          comment: 'second',
          created_by: 'ci-member',
          timestamp: at,
          policy_yaml: SECOND,
          accepts_unmatched: false,
        },
      ],
    });
    const times = [result?.created_at, ...(result?.events ?? []).map(({ timestamp }) => timestamp)].map(Number);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBe(times[1]);
    for (const time of [...times, result?.last_modified_at ?? 0]) expect(Math.abs(time - before)).toBeLessThan(60);
  });

  it('lists all, by name', async () => {
    const part = `${fresh('listed')}-`;
    for (const end of ['c', 'a', 'b']) await put(201, { name: part + end }, FIRST);
    const names = (await list()).map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    expect(names.filter((name) => name.startsWith(part))).toEqual(['a', 'b', 'c'].map((end) => part + end));
    expect(await world().withHeader('Bearer other-admin-key').get('/policies/other')).toEqual([]);
  });

  it.each([
    ['no schema', 'artifacts:\n  provenance: {required: true}\n', 400],
    ['no artifacts, which are what is asked for by default', SCHEMA, 201],
    ['both', SECOND, 201],
  ])('takes a text or not that has %s', async (_, yaml, status) => {
    const form = policyForm({ name: fresh('policy') }, yaml);
    const body = await member().expect(status, 'PUT', '/policies/acme', { form });
    if (status === 201) expect(body).toBe('OK');
    else expect(body).toMatchObject({ errors: { 'policy_file._schema': expect.any(String) as string } });
  });
});
