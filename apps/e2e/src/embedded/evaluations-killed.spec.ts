import type { EvaluationAnswer } from '@assurance/contracts/policies/answers/evaluation';
import type { Caller } from '../support/caller';
import { BOOTSTRAP } from '../support/declared';
import { eventually } from '../support/eventually';
import { Place, type Process } from '../support/process';
import { flow as newFlow, flowForm } from '../support/samples';
import { worldOf } from '../support/world';

const EVALUATIONS = 12;

describe('a service that is killed after it answered 201 to evaluations', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  it('ends each of them once, also those that it was evaluating', async () => {
    const settings = {
      ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
      ASSURANCE_LOG_LEVEL: 'error',
    };
    const start = async (): Promise<{ readonly service: Process; readonly caller: Caller }> => {
      const service = place.start(settings);
      return { service, caller: (await worldOf({ url: await service.url() })).as('admin') };
    };
    let { service, caller } = await start();
    const flow = await newFlow(caller);
    await caller.expect(201, 'PUT', `/trails/acme/${flow}`, { form: flowForm({ name: 'v1' }) });
    const ids: string[] = [];
    for (let i = 0; i < EVALUATIONS; i += 1) {
      const files = { 'policy.rego': `package policy\n\nallow := count(numbers.range(0, 50000)) > ${i}\n` };
      const json = { context: { trails: [{ flow, trail: 'v1' }] }, policy: { files }, params: {} };
      ids.push((await caller.expect<{ id: string }>(201, 'POST', '/evaluations/acme', { json })).id);
    }
    const get = (id: string) => caller.get<EvaluationAnswer>(`/evaluations/acme/${id}`);
    const ended = async () => (await Promise.all(ids.map(get))).filter(({ status }) => status !== 'pending');
    const before: EvaluationAnswer[] = [];
    for (const least of [1, 4]) {
      before.push(...(await eventually(ended, (all) => all.length >= least)));
      await service.kill();
      ({ service, caller } = await start());
    }
    const after = await eventually(ended, (all) => all.length === EVALUATIONS);
    expect(after.map(({ status, result }) => [status, result])).toEqual(ids.map(() => ['completed', { allow: true }]));
    for (const answer of before) expect(await get(answer.id)).toEqual(answer);
    expect(await service.stop()).toBe(0);
  }, 150_000);
});
