import { setTimeout } from 'node:timers/promises';
import { BeginTrail } from '@assurance/flows/write/begin-trail';
import { PutFlow } from '@assurance/flows/write/put-flow';
import { err } from '@assurance/kernel';
import { EnableEvaluations, RequestEvaluation } from '@assurance/policies/write/evaluations/request-evaluation';
import { evaluationItems, EvaluationQueue } from '@assurance/policies/write/evaluations/evaluation-queue';
import { atAcme } from '../testing/acme';

const acme = atAcme();
const enable = (enabled: boolean) => acme().run(new EnableEvaluations({ caller: acme().ada, enabled }));
const request = (trail: string, policy: RequestEvaluation['policy'] = { files: { 'a.rego': 'package a' } }) =>
  acme().run(
    new RequestEvaluation({
      caller: acme().ada,
      trails: [
        { flow: 'release', trail },
        { flow: 'release', trail },
      ],
      policy,
      params: {},
    }),
  );

describe('RequestEvaluationHandler', () => {
  beforeAll(async () => {
    await acme().run(new PutFlow({ caller: acme().ada, input: { name: 'release' } }));
    await acme().run(new BeginTrail({ caller: acme().ada, flow: 'release', input: { name: 'v1' }, repo: null }));
  });

  it('records what is evaluated', async () => {
    const { answer, events } = await request('v1');
    expect(events).toEqual(['EvaluationRequested', 'EvaluationInputKept']);
    expect(answer).toMatchObject({
      ok: true,
      value: { status: 'pending', trails: [{ flow: { name: 'release' }, trail: 'v1' }] },
    });
  });

  it('leaves no work item of what has ended', async () => {
    const { answer } = await request('v1');
    expect(answer.ok).toBe(true);
    const left = () => acme().engines.documents.collection(evaluationItems).count({ due: true });
    const all = () => acme().engines.documents.collection(evaluationItems).count({ due: false });
    for (let tries = 0; tries < 300 && (await left()) > 0; tries += 1) await setTimeout(100);
    expect([await left(), await all()]).toEqual([0, 0]);
  }, 40_000);

  it('refuses unknown trails and policies', async () => {
    const names = ['release/none'];
    expect(await request('none')).toEqual({ answer: err({ kind: 'trails-unknown', names, org: 'acme' }), events: [] });
    const unknown = err({ kind: 'rego-policy-unknown', identifier: 'x', org: 'acme' });
    expect(await request('v1', { identifier: 'x' })).toEqual({ answer: unknown, events: [] });
  });

  it('fails an evaluation that cannot be queued', async () => {
    const enqueue = jest.spyOn(EvaluationQueue.prototype, 'enqueue').mockRejectedValue(new Error('no store'));
    const { answer } = await request('v1');
    enqueue.mockRestore();
    expect(answer).toEqual(err({ kind: 'evaluation-not-queued', id: expect.any(String) as string }));
  });

  it('refuses an organization that did not enable it', async () => {
    await enable(false);
    expect(await request('v1')).toEqual({ answer: err({ kind: 'evaluation-disabled' }), events: [] });
    await enable(true);
  });
});

describe('EnableEvaluationsHandler', () => {
  it('records a change, and nothing for the same again', async () => {
    expect((await enable(true)).events).toEqual([]);
    expect((await enable(false)).events).toEqual(['EvaluationsEnabled']);
    expect((await enable(true)).events).toEqual(['EvaluationsEnabled']);
  });
});
