import type { UserEvent } from '@assurance/contracts/access/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { decideAddKey, decideDeclareUser } from './declare';
import { decideRemoveUser } from './remove-user';
import { user } from './user';

const replay = replayOf(user);
const spec = deciderSpec({ replay, decide: decideRemoveUser });
const ada = { name: 'ada', email: 'ada@example.com' };
const created: UserEvent = { type: 'UserCreated', version: 1, data: { id: 'u1', ...ada } };
const key = { hash: 'h1', description: '', expiresAt: 0 };
const added: UserEvent = { type: 'ApiKeyAdded', version: 1, data: { id: 'k1', ...key } };
const removed: UserEvent = { type: 'UserRemoved', version: 1, data: {} };
const nowhere = { organizations: [], stores: false };
const plain = { isConfirmed: false };

describe('removing a user', () => {
  it('who belongs to no organization is recorded', () => spec.given(created).when(plain, nowhere).thenRecords(removed));
  it('who belongs to an organization is refused', () =>
    spec
      .given(created)
      .when({ isConfirmed: true }, { organizations: ['acme'], stores: true })
      .thenRefuses({ kind: 'user-belongs', organizations: ['acme'] }));
  it('whose personal organization stores something is refused until it is confirmed', () => {
    const stores = { organizations: [], stores: true };
    spec.given(created).when(plain, stores).thenRefuses({ kind: 'user-stores' });
    spec.given(created).when({ isConfirmed: true }, stores).thenRecords(removed);
  });
  it('who does not exist, or was removed, changes nothing', () => {
    spec.given().when(plain, nowhere).thenNothing();
    spec.given(created, removed).when(plain, nowhere).thenNothing();
  });
});

describe('declaring a user who was removed', () => {
  const declaring = deciderSpec({ replay, decide: decideDeclareUser });
  const adding = deciderSpec({
    replay: (events: readonly UserEvent[]) => replay(events) ?? { keys: [] },
    decide: decideAddKey,
  });
  it('creates the user again without the old keys', () => {
    declaring.given(created, added, removed).when(ada, { id: 'u1' }).thenRecords(created);
    adding.given(created, added, removed, created).when(key, { id: 'k2' }).thenNothing();
  });
});
