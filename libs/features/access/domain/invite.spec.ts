import type { InvitationEvent } from '@assurance/contracts/access/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { FIRST_AT, replayOf } from '@assurance/testing/deciders/replay';
import { invitation } from './invitation';
import { decideAcceptInvitation, decideInvite, decideRevokeInvitation } from './invite';

const replay = replayOf(invitation, { key: 'o1/address' });
const EXPIRES = FIRST_AT / 1_000 + 1_000;
const invited = (id = 'i1') =>
  ({
    type: 'MemberInvited',
    version: 1,
    data: {
      id,
      email: 'Grace@example.com',
      role: 'member',
      tokenHash: `hash of ${id}`,
      expiresAt: EXPIRES,
      invitedBy: 'ada',
    },
  }) as const satisfies InvitationEvent;
const revoked: InvitationEvent = { type: 'InvitationRevoked', version: 1, data: { id: 'i1' } };
const key = { id: 'k1', hash: 'hash of k1', description: 'first key', expiresAt: 0 };
const grace = { id: 'u1', name: 'grace' };
const fields = { email: 'Grace@example.com', role: 'member', invitedBy: 'ada' } as const;
const byGrace: InvitationEvent = {
  type: 'InvitationAccepted',
  version: 1,
  data: { id: 'i1', user: 'u1', userName: 'grace', ...fields },
};
const byNew: InvitationEvent = {
  type: 'InvitationAccepted',
  version: 1,
  data: { id: 'i1', user: 'i1', userName: 'new', ...fields, key },
};
const now = { at: FIRST_AT, member: false };
const invalid = { kind: 'invitation-invalid' } as const;

describe('inviting', () => {
  // It never refuses and always records an event, because the token is new each time.
  const spec = deciderSpec({ replay, decide: decideInvite });
  it('an address, for the first time and again', () => {
    spec.given().when(invited().data).thenRecords(invited());
    spec
      .given(invited('i0'), { ...byNew, data: { ...byNew.data, id: 'i0' } } as InvitationEvent)
      .when(invited().data)
      .thenRecords(invited());
  });
});

describe('revoking an invitation', () => {
  const spec = deciderSpec({ replay, decide: decideRevokeInvitation });
  const unknown = { kind: 'invitation-unknown' } as const;
  it('ends an open invitation', () => spec.given(invited()).when({ id: 'i1' }).thenRecords(revoked));
  it('refuses an invitation that is not open', () => {
    spec.given().when({ id: 'i1' }).thenRefuses(unknown);
    spec.given(invited(), revoked).when({ id: 'i1' }).thenRefuses(unknown);
    spec.given(invited(), byGrace).when({ id: 'i1' }).thenRefuses(unknown);
    spec.given(invited(), invited('i2')).when({ id: 'i1' }).thenRefuses(unknown);
  });
});

describe('accepting an invitation', () => {
  const spec = deciderSpec({ replay, decide: decideAcceptInvitation });

  it('closes the invitation, for an existing user and for a new one', () => {
    spec.given(invited()).when({ id: 'i1', user: grace }, now).thenRecords(byGrace);
    spec.given(invited()).when({ id: 'i1', user: grace, email: 'grace@EXAMPLE.com' }, now).thenRecords(byGrace);
    spec
      .given(invited())
      .when({ id: 'i1', user: { id: 'i1', name: 'new' }, key }, now)
      .thenRecords(byNew);
  });

  it('again by the same user changes nothing, and makes no second key', () => {
    spec.given(invited(), byGrace).when({ id: 'i1', user: grace }, now).thenNothing();
    spec
      .given(invited(), byNew)
      .when({ id: 'i1', user: { id: 'i1', name: 'new' }, key }, now)
      .thenRefuses(invalid);
  });

  it('is refused to a second user, and after it was replaced, revoked or expired', () => {
    const second = { id: 'i1', user: { id: 'u2', name: 'eve' } };
    spec.given(invited(), byGrace).when(second, now).thenRefuses(invalid);
    spec.given(invited(), invited('i2')).when(second, now).thenRefuses(invalid);
    spec.given(invited(), revoked).when(second, now).thenRefuses(invalid);
    spec.given().when(second, now).thenRefuses(invalid);
    spec
      .given(invited())
      .when(second, { ...now, at: EXPIRES * 1_000 })
      .thenRefuses(invalid);
    spec
      .given(invited())
      .when(second, { ...now, at: EXPIRES * 1_000 - 1 })
      .thenRecords({
        ...byGrace,
        data: { id: 'i1', user: 'u2', userName: 'eve', ...fields },
      } as InvitationEvent & typeof byGrace);
  });

  it('is refused for a user with another address and for a member', () => {
    spec
      .given(invited())
      .when({ id: 'i1', user: grace, email: 'eve@example.com' }, now)
      .thenRefuses({ kind: 'invitation-elsewhere' });
    spec
      .given(invited())
      .when({ id: 'i1', user: grace }, { ...now, member: true })
      .thenRefuses({ kind: 'member-already' });
  });
});
