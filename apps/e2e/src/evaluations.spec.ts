import type { EvaluationAnswer, EvaluationPage } from '@assurance/contracts/policies/answers/evaluation';
import type { Caller } from './support/caller';
import { flow as newFlow, flowForm } from './support/samples';
import { onEveryDeployment } from './support/world';

const PATH = '/evaluations/acme';
const policy = (text: string) => `package policy\n\n${text}\n`;
const ALLOWS = policy('allow := true');

onEveryDeployment((world) => {
  const caller = (): Caller => world().as('admin');
  let flow = '';
  beforeAll(async () => {
    flow = await newFlow(caller());
    for (const name of ['v1', 'v2']) {
      await caller().expect(201, 'PUT', `/trails/acme/${flow}`, { form: flowForm({ name }) });
    }
  });
  const body = (files: object, trails = ['v1'], fields: object = {}) => ({
    json: {
      context: { trails: trails.map((trail) => ({ flow, trail })) },
      policy: { files },
      params: {},
      ...fields,
    },
  });
  const request = (files: object, trails?: string[], fields?: object) =>
    caller().expect<{ id: string }>(201, 'POST', PATH, body(files, trails, fields));
  const get = (id: string, query = '') => caller().get<EvaluationAnswer>(`${PATH}/${id}${query}`);
  const ended = async (id: string): Promise<EvaluationAnswer> => {
    for (let tries = 0; tries < 120; tries += 1) {
      const answer = await get(id);
      if (answer.status !== 'pending') return answer;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error(`the evaluation ${id} does not end`);
  };
  const evaluate = async (text: string, trails?: string[], fields?: object) =>
    ended((await request({ 'policy.rego': policy(text) }, trails, fields)).id);

  it('is requested, and ends with the result of the policy', async () => {
    const requested = await request({ 'policy.rego': ALLOWS });
    expect(requested).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'pending',
      requested_at: expect.any(Number),
      recorded_at: expect.any(Number),
    });
    expect(await ended(requested.id)).toEqual({
      ...requested,
      status: 'completed',
      requested_by: 'ci-admin',
      policy: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      context: { trails: [{ flow, trail: 'v1', moment_number: expect.any(Number) }] },
      result: { allow: true },
    });
  });

  it('shows the policy trails in their order, each once, and parameters', async () => {
    const text = [
      'default allow := false\nallow if not input.trail',
      'violations := [sprintf("%s/%s %d", [t.flow_name, t.trail_name, data.params.least]) | some t in input.trails]',
      '# METADATA\n# entrypoint: true\nkeys := object.keys(input.trails[0])',
      '# METADATA\n# entrypoint: true\nstates := {t.compliance_status.status | some t in input.trails}',
    ].join('\n');
    const { result } = await evaluate(text, ['v2', 'v1', 'v2'], { params: { least: 3 } });
    expect(result).toEqual({
      allow: true,
      violations: [`${flow}/v2 3`, `${flow}/v1 3`],
      keys: ['compliance_status', 'created_at', 'flow_name', 'moment_number', 'template_id', 'trail_name'],
      states: ['COMPLIANT'],
    });
    expect((await evaluate('allow := input.trail.trail_name == "v1"')).result).toEqual({ allow: true });
  });

  it('judges the trail as it was when it was asked for, at the time of the request', async () => {
    const text = 'allow := time.now_ns() == data.kosli.evaluation_time';
    const { id, requested_at } = await evaluate(text);
    const { input, params, policy: used } = await get(id, '?include=input');
    expect(requested_at).toBeGreaterThan(1_700_000_000);
    expect({ params, files: used.files }).toEqual({ params: {}, files: { 'policy.rego': policy(text) } });
    expect(input).toMatchObject({ trail: { trail_name: 'v1' }, trails: [{ trail_name: 'v1', flow_name: flow }] });
  });

  it.each([
    ['deny := true', 'no_policy', 'declares allow'],
    ['allow if {', 'compile', 'policy.rego:'],
    ['allow := http.send({"method": "get", "url": "http://localhost"}).status_code == 200', 'compile', 'http.send'],
    ['allow := "yes"', 'result_shape', 'true or false'],
    ['allow if input.nothing', 'result_shape', 'undefined'],
    ['allow := to_number("x") == 1', 'evaluate', 'to_number'],
    ['allow := count(numbers.range(1, 1000000000)) == 1', 'evaluate', 'more time or memory'],
  ])('fails where the policy is broken: %s', async (text, kind, message) => {
    const answer = await evaluate(text);
    expect(answer).toMatchObject({ status: 'failed', error: { kind, message: expect.stringContaining(message) } });
    expect(answer).not.toHaveProperty('result');
  });

  it('is in the list, the newest first, without a result', async () => {
    const first = await evaluate('allow := false');
    const second = await evaluate('allow := true');
    const { evaluations } = await caller().get<EvaluationPage>(`${PATH}?per_page=2`);
    expect(evaluations.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(evaluations[1]).toEqual({ ...first, result: undefined });
    const { evaluations: older } = await caller().get<EvaluationPage>(`${PATH}?per_page=1&page=2`);
    expect(older.map(({ id }) => id)).toEqual([first.id]);
  });

  it('needs trails, a policy and parameters in this form', async () => {
    const refused = async (json: unknown) => (await caller().refused(400, 'POST', PATH, { json })).errors;
    const { json } = body({ 'policy.rego': ALLOWS });
    const trails = Array.from({ length: 101 }, (_, i) => ({ flow, trail: `v${i}` }));
    expect(await refused({ ...json, params: null })).toHaveProperty('params');
    expect(await refused({ ...json, params: [] })).toHaveProperty('params');
    expect(await refused({ ...json, more: 1 })).toHaveProperty('more');
    expect(await refused({ ...json, context: { trails: [] } })).toHaveProperty(['context.trails']);
    expect(await refused({ ...json, context: { trails } })).toHaveProperty(['context.trails']);
    expect(await refused({ ...json, context: { trails: [{ flow, trail: 'v1', x: 1 }] } })).toHaveProperty([
      'context.trails.0.x',
    ]);
    expect(await refused({ ...json, policy: {} })).toHaveProperty('policy');
    expect(await refused({ ...json, policy: { files: {} } })).toHaveProperty(['policy.files']);
    expect(await refused({ ...json, policy: { files: { '../x.rego': '' } } })).toEqual({
      'policy.files.../x.rego': "A path should have no part '..'",
    });
    const decision = { control: 'SDLC-7', name: 'review', flow, trail: 'v1' };
    expect(await refused({ ...json, decision })).toEqual({ decision: 'Decisions are not supported yet' });
  });

  it('names what does not exist', async () => {
    const { json } = body({ 'policy.rego': ALLOWS });
    const unknown = {
      trails: [
        { flow, trail: 'v9' },
        { flow, trail: 'v1' },
        { flow: 'none', trail: 'a' },
      ],
    };
    expect(await caller().refused(404, 'POST', PATH, { json: { ...json, context: unknown } })).toEqual({
      message: `These trails do not exist in org 'acme': ${flow}/v9, none/a`,
    });
    expect(await caller().refused(404, 'POST', PATH, { json: { ...json, policy: { identifier: 'x@v2' } } })).toEqual({
      message: "Rego policy 'x@v2' does not exist in org 'acme'",
    });
    expect(await caller().refused(404, 'GET', `${PATH}/nobody`)).toEqual({
      message: "Evaluation 'nobody' does not exist in org 'acme'",
    });
    expect(await world().as('reader').refused(403, 'POST', PATH, { json })).toHaveProperty('message');
  });

  it('is refused where an administrator disabled it', async () => {
    const enable = (enabled: boolean) => caller().expect(200, 'PUT', PATH, { json: { enabled } });
    await enable(false);
    try {
      expect(await caller().refused(403, 'POST', PATH, body({ 'policy.rego': ALLOWS }))).toEqual({
        message: 'Server-side evaluation is not enabled for this organization',
      });
    } finally {
      await enable(true);
    }
    expect(
      await world()
        .as('member')
        .refused(403, 'PUT', PATH, { json: { enabled: false } }),
    ).toHaveProperty('message');
    expect(await request({ 'policy.rego': ALLOWS })).toHaveProperty('id');
  });
});
