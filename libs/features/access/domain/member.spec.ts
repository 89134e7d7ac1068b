import type { MemberAdded, MemberRemoved } from '@assurance/contracts/access/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { decideSetMember } from './declare';
import { decideRemoveMember } from './member';
import { membership } from './membership';

const replay = replayOf(membership, { key: 'o1/u1' });
const ada = { user: 'u1', userName: 'ada', role: 'member', source: 'app' } as const;
const added: MemberAdded = { type: 'MemberAdded', version: 1, data: ada };
const removed: MemberRemoved = {
  type: 'MemberRemoved',
  version: 1,
  data: { user: 'u1', userName: 'ada', previousRole: 'member', source: 'scim', changedBy: 'grace' },
};
const command = { source: 'scim', changedBy: 'grace' } as const;

// This decision never refuses. The gateway checks permissions, and the caller checks that an administrator remains.
describe('removing a member', () => {
  const spec = deciderSpec({ replay, decide: decideRemoveMember });

  it('records the role that they had', () => spec.given(added).when(command).thenRecords(removed));
  it('who is no member changes nothing', () => {
    spec.given().when(command).thenNothing();
    spec.given(added, removed).when(command).thenNothing();
  });
});

describe('adding a member who was removed', () => {
  const spec = deciderSpec({ replay, decide: decideSetMember });

  it('adds them again', () => spec.given(added, removed).when(ada).thenRecords(added));
});
