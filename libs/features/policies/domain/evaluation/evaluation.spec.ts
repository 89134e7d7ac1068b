import type { Evaluation } from '@assurance/contracts/policies/documents';
import type { EvaluationRequested } from '@assurance/contracts/policies/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { bundleProblem } from './bundle-files';
import { decideEndEvaluation, decideRequestEvaluation, isAbandoned } from './decide';
import { evaluation } from './evaluation';

const replay = replayOf(evaluation);
const trails = [{ flow: { id: 'f1', name: 'release' }, trail: 'v1', moment: 3 }];
const request = { id: 'e1', requestedAt: 1_700_000_000_000, trails, digest: 'd'.repeat(64) };
const kept = { files: { 'policy.rego': 'package policy' }, params: {}, input: '{"trails":[]}' };
const requested: EvaluationRequested = { type: 'EvaluationRequested', version: 1, data: request };
const inputKept = { type: 'EvaluationInputKept', version: 1, data: kept } as const;
const completed = (allow: boolean) =>
  ({ type: 'EvaluationCompleted', version: 1, data: { allow, result: `{"allow":${allow}}` } }) as const;
const failed = (kind: 'compile' | 'input_shape', message: string) =>
  ({ type: 'EvaluationFailed', version: 1, data: { kind, message } }) as const;

describe('requesting an evaluation', () => {
  const spec = deciderSpec({ replay, decide: decideRequestEvaluation });

  it('records what is evaluated', () => {
    spec.given().when({ request, kept }, { inputBytes: 13 }).thenRecords(requested, inputKept);
    expect(replay([requested, inputKept])).toMatchObject({ ...request, status: 'pending', requestedBy: 'ada' });
  });

  it('with an input above 4 MiB fails at once, and keeps no input', () => {
    const max = 4 * 1024 * 1024;
    spec.given().when({ request, kept }, { inputBytes: max }).thenRecords(requested, inputKept);
    const failure = failed('input_shape', `The input is larger than ${max} bytes`);
    spec
      .given()
      .when({ request, kept }, { inputBytes: max + 1 })
      .thenRecords(requested, failure);
  });

  it('again changes nothing', () => {
    spec.given(requested, inputKept).when({ request, kept }, { inputBytes: 1 }).thenNothing();
  });
});

describe('ending an evaluation', () => {
  const spec = deciderSpec({ replay, decide: decideEndEvaluation });

  it('records the result or the failure', () => {
    spec.given(requested, inputKept).when(completed(false).data).thenRecords(completed(false));
    spec.given(requested, inputKept).when(failed('compile', 'x').data).thenRecords(failed('compile', 'x'));
    expect(replay([requested, completed(true)])).toMatchObject({ status: 'completed' });
    expect(replay([requested, failed('compile', 'x')])).toMatchObject({
      status: 'failed',
      error: { kind: 'compile', message: 'x' },
    });
  });

  it('again changes nothing', () => {
    spec.given(requested, completed(true)).when(completed(false).data).thenNothing();
    spec.given(requested, failed('compile', 'x')).when(completed(true).data).thenNothing();
    spec.given().when(completed(true).data).thenNothing();
  });

  it('is abandoned after 5 minutes', () => {
    const { recordedAt } = replay([requested]) as Evaluation;
    expect([300_000, 300_001].map((ms) => isAbandoned({ recordedAt }, recordedAt + ms))).toEqual([false, true]);
  });
});

describe('the files of a bundle', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.rego`, '']));

  it.each([
    [{}, 'at least 1 file'],
    [many(101), 'policy bundle holds 101 files, over the limit of 100'],
    [{ '/x.rego': '' }, 'relative'],
    [{ 'C:/x.rego': '' }, 'relative'],
    [{ '../x.rego': '' }, "no part '..'"],
    [{ 'a/../x.rego': '' }, "no part '..'"],
    [{ 'a\\..\\x.rego': '' }, "no part '..'"],
    [{ 'a//x.rego': '' }, 'no empty part'],
    [{ './x.rego': '' }, 'no empty part'],
    [{ '': '' }, 'no empty part'],
    [{ 'a\0.rego': '' }, 'no NUL'],
    [{ 'é.rego': '', 'e\u0301.rego': '' }, 'Unicode NFC'],
    [{ 'a.rego': 'é'.repeat(524_286) }, 'policy bundle is 1048578 bytes, over the 1048576 byte limit'],
  ])('%#. are refused: %s', (files, text) => {
    expect(bundleProblem(files)?.[1]).toContain(text);
  });

  it('may have 100 files, 1 MiB, and folders', () => {
    expect([many(100), { 'a.rego': 'é'.repeat(524_285) }, { 'a/b..c/.x/data.json': '{}' }].map(bundleProblem)).toEqual([
      null,
      null,
      null,
    ]);
  });
});
