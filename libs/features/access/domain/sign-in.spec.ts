import type { ExternalIdentityEvent } from '@assurance/contracts/access/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { externalIdentity } from './external-identity';
import { decideAttachIdentity, decideDetachIdentity, decideLinkIdentity, namesFor } from './sign-in';

const spec = deciderSpec({ replay: replayOf(externalIdentity), decide: decideLinkIdentity });
const fields = { issuer: 'https://login.example.com', subject: '1', email: 'ada@example.com' };
const facts = { user: 'u1', userName: 'ada' };
const linked: ExternalIdentityEvent = { type: 'ExternalIdentityLinked', version: 1, data: { ...fields, ...facts } };

describe('a first sign-in', () => {
  it('makes a user', () => spec.given().when(fields, facts).thenRecords(linked));
  it('creates no second user when the address or name differs', () => {
    spec.given(linked).when(fields, facts).thenNothing();
    spec
      .given(linked)
      .when({ ...fields, email: 'root@example.com' }, { user: 'u2', userName: 'admin' })
      .thenNothing();
  });
});

const replay = replayOf(externalIdentity);
const attached: ExternalIdentityEvent = { type: 'ExternalIdentityAttached', version: 1, data: { ...fields, ...facts } };
const detached: ExternalIdentityEvent = { type: 'ExternalIdentityDetached', version: 1, data: { user: 'u1' } };

describe('attaching an identity', () => {
  const attaching = deciderSpec({ replay, decide: decideAttachIdentity });
  it('that belongs to no user is accepted, also after it was detached', () => {
    attaching.given().when(fields, facts).thenRecords(attached);
    attaching.given(linked, detached).when(fields, facts).thenRecords(attached);
  });
  it('of the same user again changes nothing', () => {
    attaching.given(attached).when(fields, facts).thenNothing();
    attaching.given(linked).when(fields, facts).thenNothing();
  });
  it('of somebody else is refused', () => {
    for (const before of [linked, attached])
      attaching.given(before).when(fields, { user: 'u2', userName: 'eve' }).thenRefuses({ kind: 'identity-taken' });
  });
});

describe('detaching an identity', () => {
  const detaching = deciderSpec({ replay, decide: decideDetachIdentity });
  it('is accepted where there is another way to sign in', () => {
    for (const before of [linked, attached])
      detaching.given(before).when({ user: 'u1' }, { otherWays: true }).thenRecords(detached);
  });
  it('is refused where it is the last way', () =>
    detaching.given(attached).when({ user: 'u1' }, { otherWays: false }).thenRefuses({ kind: 'identity-last' }));
  it('of somebody else, or again, is refused', () => {
    for (const before of [[], [linked], [linked, detached]])
      detaching
        .given(...before)
        .when({ user: before.length === 1 ? 'u2' : 'u1' }, { otherWays: true })
        .thenRefuses({ kind: 'identity-unknown' });
  });
  it('creates a new user for the next sign-in with it', () => {
    const fresh = { user: 'u3', userName: 'ada-2' };
    spec
      .given(linked, detached)
      .when(fields, fresh)
      .thenRecords({ ...linked, data: { ...fields, ...fresh } });
  });
});

describe('names for a new user', () => {
  const ID = '01234567-89ab-8def-8123-456789abcdef';
  it.each([
    ['ada', 'ada'],
    ['ada.lovelace@example.com', 'ada.lovelace'],
    ['Ada Lovelace', 'Ada-Lovelace'],
    ['../Zoë/', 'Zoe'],
    ['環境', 'user'],
    ['', 'user'],
    ['a'.repeat(500), 'a'.repeat(60)],
  ])('begin for %j with %j', (text, name) => {
    const names = [...namesFor(text, ID)];
    expect(names[0]).toBe(name);
    expect(names.at(-1)).toBe(`${name}-0123456789ab8def8123456789abcdef`);
    expect(names.filter((name) => !/^[a-zA-Z0-9][a-zA-Z0-9.\-_]{0,99}$/.test(name))).toEqual([]);
  });
});
