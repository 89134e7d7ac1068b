import type { Policy } from '@assurance/contracts/policies/documents';
import type { PolicyEvent, PolicyRules } from '@assurance/contracts/policies/events';
import { accepted, noChange } from '@assurance/kernel';
import { decideEndExceptions } from './end-exceptions';
import { endsOf, rulesAt } from './exceptions';
import { exceptionEnds, policy } from './policy';

const NOT = { required: false, exceptions: [] };
const PURL = { purl: 'pkg:npm/left-pad', range: null };
const until = (end: number | null) => ({ if: null, until: end });
const rules: PolicyRules = {
  provenance: NOT,
  trailCompliance: NOT,
  attestations: [],
  sbom: { required: true, exceptions: [until(300), until(null)] },
  components: {
    deny: [PURL],
    exceptions: [200, 100, 200].map((end) => ({ ...until(end), component: PURL })),
  },
};
const meta = { org: 'o', stream: 'policy/p', seq: 1, at: 150, actor: 'ada' };
const data = { id: 'p', name: 'libraries', description: '', comment: '', yaml: 'y', rules };
const created = { type: 'PolicyCreated', version: 1, data } as const;
const state = policy.evolve(null, created, meta) as Policy;

describe('exceptions of a policy', () => {
  it('end at their moments, each once', () => expect(endsOf(rules)).toEqual([100, 200, 300]));

  it('count until their end, and not from that moment on', () => {
    expect(rulesAt(rules, 99)).toBe(rules);
    const later = rulesAt(rules, 200);
    expect([later.sbom?.exceptions, later.components?.exceptions]).toEqual([[until(300), until(null)], []]);
    expect(rulesAt(rules, 300).sbom).toEqual({ required: true, exceptions: [until(null)] });
  });

  it.each([
    [null, noChange],
    [{ due: null, at: 400 }, noChange],
    [{ due: 200, at: 199 }, noChange],
    [
      { due: 200, at: 200 },
      { version: 1, until: 200, next: 300 },
    ],
    [
      { due: 200, at: 1_000 },
      { version: 1, until: 300, next: null },
    ],
  ])('are recorded as ended for %j: %j', (facts, expected) => {
    const decided = decideEndExceptions(facts === null ? null : state, { rules, ...(facts ?? { due: 1, at: 2 }) });
    expect(decided).toEqual(
      expected === noChange
        ? noChange
        : accepted({ type: 'PolicyExceptionsEnded', version: 1, data: expected as never }),
    );
  });

  it('are waited for as long as the newest version has any', () => {
    const due = (event: PolicyEvent) =>
      [...(policy.inlineProjections?.(state, event, meta, null) ?? [])].find(
        (write) => write.collection === exceptionEnds,
      );
    expect(due(created)).toMatchObject({ id: 'p', doc: { org: 'o', policy: 'p', due: 200 } });
    const revised = { ...created.data, version: 2, rules: { ...rules, sbom: undefined, components: undefined } };
    expect(due({ type: 'PolicyRevised', version: 1, data: revised as never })).toMatchObject({ doc: null });
    const ended = { version: 1, until: 200, next: 300 };
    expect(due({ type: 'PolicyExceptionsEnded', version: 1, data: ended })).toMatchObject({ doc: { due: 300 } });
    expect(due({ type: 'PolicyExceptionsEnded', version: 1, data: { ...ended, next: null } })).toMatchObject({
      doc: null,
    });
  });
});
