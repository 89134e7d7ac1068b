import type { ExternalIdentityEvent } from '@assurance/contracts-events';
import { externalIdentity } from '@assurance/model';
import { deciderSpec, replayOf } from '@assurance/testing-suites/deciders';
import { decideLinkIdentity, namesFor } from './sign-in';

const spec = deciderSpec({ replay: replayOf(externalIdentity), decide: decideLinkIdentity });
const said = { issuer: 'https://login.example.com', subject: '1', email: 'ada@example.com' };
const facts = { user: 'u1', userName: 'ada' };
const linked: ExternalIdentityEvent = { type: 'ExternalIdentityLinked', version: 1, data: { ...said, ...facts } };

describe('a first sign-in', () => {
  it('makes a user', () => spec.given().when(said, facts).thenRecords(linked));
  it('creates no second user when the address or name differs', () => {
    spec.given(linked).when(said, facts).thenNothing();
    spec
      .given(linked)
      .when({ ...said, email: 'root@example.com' }, { user: 'u2', userName: 'admin' })
      .thenNothing();
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
  ])('begin for %j with %j', (given, name) => {
    const names = [...namesFor(given, ID)];
    expect(names[0]).toBe(name);
    expect(names.at(-1)).toBe(`${name}-0123456789ab8def8123456789abcdef`);
    expect(names.filter((one) => !/^[a-zA-Z0-9][a-zA-Z0-9.\-_]{0,99}$/.test(one))).toEqual([]);
  });
});
