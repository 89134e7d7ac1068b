import type { JudgedTrail } from '@assurance/contracts/policies/events';
import { judgedTrails } from './judged-trails';

const flow = (name: string, trail: string | null = 't') => ({ flow: { id: name, name }, trail });
const judged = (
  name: string,
  trail: string | null = 't',
  status: JudgedTrail['status'] = 'COMPLIANT',
): JudgedTrail => ({
  flow: name,
  trail,
  status,
});
const matches = (flows: readonly ReturnType<typeof flow>[], contexts: readonly JudgedTrail[]) => {
  const judgedOf = judgedTrails(flows, contexts);
  return flows.map((flow) => judgedOf(flow)?.flow ?? null);
};

describe('the trails that a verdict judged', () => {
  it.each([
    ['of the same flow and trail', [flow('a'), flow('b')], [judged('b'), judged('a')], ['a', 'b']],
    ['of the same flow alone', [flow('a', 't'), flow('a', 'u')], [judged('a', 'u')], [null, 'a']],
    ['without a trail', [flow('a', null)], [judged('a', null)], ['a']],
    ['of a flow that was renamed before the judgement', [flow('old')], [judged('new')], ['new']],
    ['of one renamed flow of two', [flow('old'), flow('b')], [judged('new'), judged('b')], ['new', 'b']],
    ['of two renamed flows, in their order', [flow('x'), flow('y')], [judged('a'), judged('b')], ['a', 'b']],
    [
      'where another flow has the old name',
      [flow('a'), { ...flow('a'), flow: { id: '2', name: 'a' } }],
      [judged('b'), judged('a')],
      ['b', 'a'],
    ],
    ['where a flow was not judged', [flow('x'), flow('y')], [judged('a')], [null, null]],
    ['of none', [flow('a')], [], [null]],
  ] as const)('%s', (_, flows, contexts, expected) => {
    expect(matches(flows, contexts)).toEqual(expected);
  });
});
