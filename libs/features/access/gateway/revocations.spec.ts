import type { Role } from '@assurance/contracts/access/events';
import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { routes } from '@assurance/contracts/http/routes/routes';
import type { Identity, Session } from '@assurance/http';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';
import { apiKeys } from '../domain/keys';
import { membership } from '../domain/membership';
import { serviceAccount } from '../domain/service-account';
import { user } from '../domain/user';
import { Revocations } from './revocations';
import { sessionEnds } from './session/session-ends';

const LATEST = 5_000;

describe('what a caller has under way', () => {
  const stored = new Map<string, object>();
  const requests: string[] = [];
  const documents = {
    collection: ({ name }: CollectionDefinition<object>) => ({
      getMany: (ids: readonly string[]) => {
        requests.push(name);
        return Promise.resolve(new Map(ids.flatMap((id) => documentAt(`${name} ${id}`, id))));
      },
    }),
  } as unknown as Documents;
  const documentAt = (place: string, id: string) => {
    const doc = stored.get(place);
    return doc === undefined ? [] : [[id, doc] as const];
  };
  const write = ({ name }: CollectionShape<object>, id: string, doc: object) => void stored.set(`${name} ${id}`, doc);
  let now = 1_000;
  const clock = { now: () => now, steady: () => now };
  const warn = jest.fn();
  let revocations: Revocations;

  const org = { id: 'o1', name: 'acme' };
  const member = (role: Role) => write(membership.states, streams.membership('o1', 'u1'), { role });
  const account = (fields: object = {}) =>
    write(serviceAccount.states, streams.serviceAccount('s1'), { org: 'o1', privilege: 'member', ...fields });
  const ada: Identity = { org, principal: { id: 'u1', kind: 'user', name: 'ada', role: 'admin' }, key: 'k1' };
  const robot: Identity = {
    org,
    principal: { id: 's1', kind: 'service-account', name: 'r', role: 'member' },
    key: 'k2',
  };
  const session: Session = { id: 'n1', principal: 'u1', key: null, startedAt: 900, renewedAt: 900 };
  const { key: _key, ...keyless } = ada;
  const browsing: Identity = { ...keyless, session };
  /** Waits for one check of the rights. */
  const look = async () => {
    now += 400;
    await jest.advanceTimersByTimeAsync(400);
  };

  beforeEach(() => {
    jest.useFakeTimers();
    stored.clear();
    now = 1_000;
    write(apiKeys, 'k1', { expiresAt: 0 });
    write(apiKeys, 'k2', { expiresAt: 0 });
    write(user.states, streams.user('u1'), {});
    member('admin');
    account();
    revocations = new Revocations(documents, clock, { warn }, () => LATEST);
  });
  afterEach(() => {
    revocations.stop();
    jest.useRealTimers();
  });

  it.each<[string, Identity, () => void]>([
    ['a revoked key', ada, () => stored.delete(`${apiKeys.name} k1`)],
    ['an expired key', ada, () => write(apiKeys, 'k1', { expiresAt: 1 })],
    ['a removed member', ada, () => stored.delete(`${membership.states.name} ${streams.membership('o1', 'u1')}`)],
    ['a role that may not', ada, () => member('reader')],
    ['a deleted service account', robot, () => account({ deleted: true })],
    ['a service account that is gone', robot, () => stored.clear()],
    ['an ended session', browsing, () => write(sessionEnds, 'u1', { before: 0, ended: { n1: LATEST } })],
    ['sessions that were all ended', browsing, () => write(sessionEnds, 'u1', { before: 950, ended: {} })],
    ['a session that is over', browsing, () => (now = LATEST)],
    ['a removed user', browsing, () => write(user.states, streams.user('u1'), { removed: true })],
    [
      'a session of a revoked key',
      { ...ada, session: { ...session, key: 'k1' } },
      () => stored.delete(`${apiKeys.name} k1`),
    ],
  ])('ends once with %s', async (_, identity, change) => {
    const end = jest.fn();
    revocations.watch(identity, routes.putEnvironment, end);
    await look();
    expect(end).not.toHaveBeenCalled();
    change();
    await look();
    await look();
    expect(end).toHaveBeenCalledTimes(1);
  });

  it('goes on when a lower role is enough, and when it had ended before', async () => {
    const [reads, left] = [jest.fn(), jest.fn()];
    revocations.watch(ada, routes.listEnvironments, reads);
    revocations.watch(ada, routes.putEnvironment, left)();
    member('reader');
    await look();
    expect([reads.mock.calls, left.mock.calls]).toEqual([[], []]);
  });

  it('ends with every change of the role where it lasts', async () => {
    const end = jest.fn();
    member('member');
    revocations.watch({ ...ada, principal: { ...ada.principal, role: 'member' } }, routes.followChanges, end);
    await look();
    expect(end).not.toHaveBeenCalled();
    member('reader');
    await look();
    expect(end).toHaveBeenCalledTimes(1);
  });

  it('is looked at in one read for all callers, and not at all while nothing lasts', async () => {
    for (let i = 0; i < 3; i += 1) {
      revocations.watch(ada, routes.listEnvironments, () => undefined);
      revocations.watch(robot, routes.listEnvironments, () => undefined)();
    }
    requests.length = 0;
    await look();
    expect(requests.sort()).toEqual([apiKeys.name, membership.states.name].sort());
    revocations.stop();
    await look();
    expect(requests).toHaveLength(2);
  });
});
