import type { MembershipEvent } from '@assurance/contracts/access/events';
import { membershipRow } from './follow';
import { membershipEventAnswer } from './list';

const meta = (seq: number) => ({ org: 'o1', stream: 'membership/o1/u1', seq, at: 1_000 * seq, actor: 'bootstrap' });
const who = { user: 'u1', userName: 'ada' };
const answerOf = (event: MembershipEvent, seq = 1) => membershipEventAnswer(membershipRow(event, meta(seq)));

describe('what happened to a membership', () => {
  it('shows who was added, by the word of the file where nobody is named', () =>
    expect(answerOf({ type: 'MemberAdded', version: 1, data: { ...who, role: 'member', source: 'script' } })).toEqual({
      id: 'o1.u1.1',
      type: 'added',
      user: 'ada',
      changed_by: 'bootstrap',
      role: 'member',
      previous_role: '',
      source: 'script',
      created_at: 1,
    }));

  it('shows both roles of a change, and who made it', () => {
    const data = { ...who, role: 'admin', previousRole: 'member', source: 'app', changedBy: 'grace' } as const;
    expect(answerOf({ type: 'MemberRoleChanged', version: 1, data }, 2)).toMatchObject({
      type: 'changed',
      role: 'admin',
      previous_role: 'member',
      changed_by: 'grace',
    });
  });

  it('shows no role of who was removed, and the same row for the same event', () => {
    const data = { ...who, previousRole: 'admin', source: 'scim', changedBy: 'grace' } as const;
    const event: MembershipEvent = { type: 'MemberRemoved', version: 1, data };
    expect(answerOf(event, 3)).toMatchObject({ type: 'removed', role: '', previous_role: 'admin', source: 'scim' });
    expect(membershipRow(event, meta(3))).toEqual(membershipRow(event, meta(3)));
    expect(membershipRow(event, meta(3)).id).not.toBe(membershipRow(event, meta(4)).id);
  });
});
