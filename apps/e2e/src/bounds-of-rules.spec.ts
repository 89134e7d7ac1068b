import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import {
  attach,
  digest,
  environment,
  flowForm,
  fresh,
  item,
  policy,
  policyForm,
  policyYaml,
  report,
} from './support/samples';
import { onEveryDeployment } from './support/world';

/** A policy with so many rules, each with an expression. */
const rules = (count: number, expression: (i: number) => string) =>
  policyYaml(
    `  attestations:\n${Array.from({ length: count }, (_, i) => `    - {type: junit, if: '${expression(i)}'}\n`).join('')}`,
  );
const matching = (pattern: string, count = 200) => rules(count, (i) => `matches(artifact.name, "${pattern}x${i}")`);
/** As many keys as a YAML file can hold. */
const keys = () => {
  let text = '';
  for (let i = 0; text.length < 64 * 1024 - 10; i += 1) text += `${i.toString(36)}:\n`;
  return text;
};

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const put = (yaml: string) =>
    caller().refused(400, 'PUT', '/policies/acme', { form: policyForm({ name: fresh('policy') }, yaml) });

  it('refuses a policy whose rules exceed the permitted steps, and names the field', async () => {
    const { errors } = await put(matching('^(a?b?c?){60}', 60));
    expect(errors).toEqual({ 'policy_file.artifacts': expect.stringContaining('more than the limit of') as string });
  });

  it('refuses to attach more rules than an environment may have, and detaches any policy', async () => {
    const env = await environment(caller());
    const heavy = matching('^(a|b|ab)+:[0-9]*');
    const names: string[] = [];
    for (let i = 0; i < 26; i += 1) names.push(await policy(caller(), heavy));
    const path = `/environments/acme/${env}/policies`;
    const refused = async (some: readonly string[]) =>
      (await caller().refused(400, 'POST', path, { json: { policy_names: some } })).errors;
    expect(await refused(names.slice(0, 10))).toEqual({
      policy_names: expect.stringContaining('more than the limit of') as string,
    });
    expect(await refused(names)).toEqual({ policy_names: expect.stringContaining('at most 5000 rules') as string });
    // An empty environment may have more policies than many artifacts can be judged by.
    await attach(caller(), env, names[0] ?? '');
    const many = Array.from({ length: 500 }, (_, i) => item({ [`${'ab'.repeat(240)}-${i}`]: digest(`${env}${i}`) }));
    await report(caller(), env, many);
    const { artifacts, compliant } = await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
    expect(compliant).toBe(false);
    const left = artifacts.filter(({ reasons_for_incompliance: [why] }) => why?.startsWith('not judged: ') === true);
    expect(left.length).toBeGreaterThan(100);
    expect(left.every((artifact) => artifact.compliant === false)).toBe(true);
    // Clients print a reason for each policy that an artifact fails.
    const resolutions = [{ type: 'non_compliant_in_trail', reason: 'not_judged' }];
    expect(left[0]?.policy_decisions[0]?.rule_evaluations).toMatchObject([
      { rule: { type: 'trail-compliance' }, satisfied: null, ignored: false, resolutions },
    ]);
    await caller().expect(200, 'DELETE', path, { json: { policy_names: names.slice(0, 1) } });
    expect((await caller().get<EnvironmentAnswer>(`/environments/acme/${env}`)).policies).toEqual([]);
  });

  it('refuses names of artifacts that are longer than 512 bytes', async () => {
    const env = await environment(caller());
    const path = `/environments/acme/${env}/report/docker`;
    const of = (name: string) => ({ json: { artifacts: [item({ [name]: digest(name) })] } });
    await caller().expect(200, 'PUT', path, of('é'.repeat(256)));
    const { errors } = await caller().refused(400, 'PUT', path, of('é'.repeat(257)));
    expect(JSON.stringify(errors)).toContain('at most 512 bytes');
  });

  it('refuses YAML that takes too long to parse, and names the field', async () => {
    const { errors } = await put(keys());
    expect(Object.keys(errors ?? {})[0]).toMatch(/^policy_file/);
    const form = flowForm({ name: fresh('flow'), description: '', visibility: 'private' }, keys());
    const { errors: ofTemplate } = await caller().refused(400, 'PUT', '/flows/acme/template_file', { form });
    expect(Object.keys(ofTemplate ?? {})[0]).toMatch(/^template_file/);
  });

  it('refuses asynchronous schemas', async () => {
    const form = new FormData();
    form.set('data_json', JSON.stringify({ name: fresh('later') }));
    form.set('type_schema', new Blob([JSON.stringify({ $async: true })], { type: 'application/json' }), 'schema.json');
    const { errors } = await caller().refused(400, 'POST', '/custom-attestation-types/acme', { form });
    expect(errors).toEqual({ type_schema: expect.stringContaining('$async') as string });
  });
});
