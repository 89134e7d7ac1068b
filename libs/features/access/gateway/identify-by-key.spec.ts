import type { Role } from '@assurance/contracts/access/events';
import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { routes } from '@assurance/contracts/http/routes/routes';
import { sha256 } from '@assurance/kernel';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';
import { apiKeys } from '../domain/keys';
import { membership } from '../domain/membership';
import { name } from '../domain/name';
import { organization } from '../domain/organization';
import { serviceAccount } from '../domain/service-account';
import { identifyByKey, UNKNOWN_MS } from './identify-by-key';
import { CACHED_MS } from './identities';
import { InvalidKeyCounter } from './wrong-keys';

const LIMIT = 5;

/** Documents by id. The guard reads them only by id. */
const stored = new Map<string, object>();
let lookUps: string[] = [];
const documents = {
  collection: ({ name }: CollectionDefinition<object>) => ({
    get: (id: string) => {
      lookUps.push(`${name} ${id}`);
      return Promise.resolve(stored.get(`${name} ${id}`) ?? null);
    },
  }),
} as unknown as Documents;

describe('who calls, by key', () => {
  let identify: ReturnType<typeof identifyByKey>;
  let now = 1_700_000_000_000;
  let passed = 0;

  const write = ({ name }: CollectionShape<object>, id: string, doc: object) => void stored.set(`${name} ${id}`, doc);
  const state = { seq: 1, fold: 1 };
  const addKey = (key: string, owner: { principal: string; kind: string; org: string | null }, expiresAt = 0) =>
    write(apiKeys, sha256(key), {
      id: `id of ${key}`,
      name: `name of ${owner.principal}`,
      ...owner,
      expiresAt,
    });
  const addOrg = (org: string, id: string) => write(name.states, streams.name('-', 'account', org), { id, ...state });
  const addMember = (org: string, user: string, role: Role) =>
    write(membership.states, streams.membership(org, user), { org, user, userName: user, role, ...state });
  const ada = { principal: 'u1', kind: 'user', org: null };
  const ADDRESS = '192.0.2.7';
  const ask = (key: string, org = 'acme', address = ADDRESS) =>
    identify({ authorization: [`Bearer ${key}`], org, route: routes.getEnvironment, address });
  const roleOf = async (key: string, org?: string) => {
    const result = await ask(key, org);
    return result.ok ? result.value.principal.role : result.refusal;
  };

  beforeAll(() => {
    addOrg('acme', 'o1');
    addOrg('other', 'o2');
    addOrg('ada', 'u1');
    addKey('ada-key', ada);
    addMember('o1', 'u1', 'member');
    addMember('u1', 'u1', 'admin');
    addKey('ci-key', { principal: 's1', kind: 'service-account', org: 'o1' });
    const account = {
      id: 's1',
      org: 'o1',
      name: 'ci',
      privilege: 'snapshotter',
      description: '',
      createdAt: 1,
      createdBy: 'u1',
    };
    write(serviceAccount.states, streams.serviceAccount('s1'), { ...account, keys: [], ...state });
  });
  beforeEach(() => {
    lookUps = [];
    const clock = { now: () => now, steady: () => passed };
    identify = identifyByKey(documents, clock, new InvalidKeyCounter(LIMIT, clock, { info: () => undefined }));
  });

  it('knows a user, with the role in this organization', async () => {
    expect(await ask('ada-key')).toEqual({
      ok: true,
      value: {
        org: { id: 'o1', name: 'acme' },
        key: sha256('ada-key'),
        principal: { id: 'u1', kind: 'user', name: 'name of u1', role: 'member' },
        holder: 'o1',
      },
    });
    expect(await roleOf('ada-key', 'ada')).toBe('admin');
  });

  it('knows who holds the organization: who made it, of a personal one its user, else itself', async () => {
    const place = { personal: false, createdAt: 1, ...state };
    write(organization.states, streams.organization('u1'), { ...place, id: 'u1', name: 'ada', personal: true });
    write(organization.states, streams.organization('o3'), { ...place, id: 'o3', name: 'shop', madeBy: 'u1' });
    addOrg('shop', 'o3');
    addMember('o3', 'u1', 'reader');
    const holderIn = async (org: string) => {
      const result = await ask('ada-key', org);
      return result.ok ? result.value.holder : result.refusal;
    };
    expect([await holderIn('ada'), await holderIn('shop'), await holderIn('acme')]).toEqual(['u1', 'u1', 'o1']);
    for (const id of ['u1', 'o3']) stored.delete(`${organization.states.name} ${streams.organization(id)}`);
  });

  it('knows a service account, in its own organization alone', async () => {
    expect(await roleOf('ci-key')).toBe('snapshotter');
    addMember('o2', 's1', 'admin');
    expect(await roleOf('ci-key', 'other')).toBe('forbidden');
  });

  it("means the caller's own organization where none is named", async () => {
    const own = async (key: string) => {
      const result = await identify({
        authorization: [`Bearer ${key}`],
        org: null,
        route: routes.getDefaultOrganization,
        address: ADDRESS,
      });
      return result.ok ? [result.value.org, result.value.principal.role] : result.refusal;
    };
    expect(await own('ada-key')).toBe('forbidden');
    for (const [id, called] of [
      ['u1', 'ada'],
      ['o1', 'acme'],
    ] as const) {
      write(organization.states, streams.organization(id), {
        id,
        name: called,
        personal: id === 'u1',
        createdAt: 1,
        ...state,
      });
    }
    expect(await own('ada-key')).toEqual([{ id: 'u1', name: 'ada' }, 'admin']);
    expect(await own('ci-key')).toEqual([{ id: 'o1', name: 'acme' }, 'snapshotter']);
    expect(await own('nothing')).toBe('unauthenticated');
  });

  it('takes the key as basic credentials too', async () => {
    const authorization = [`Basic ${Buffer.from('ada-key:').toString('base64')}`];
    expect(
      await identify({ authorization, org: 'acme', route: routes.getEnvironment, address: ADDRESS }),
    ).toHaveProperty('ok', true);
  });

  it.each([
    ['a wrong key', 'nothing', 'acme', 'unauthenticated'],
    ['the hash of a key', sha256('ada-key'), 'acme', 'unauthenticated'],
    ['a wrong key for an unknown organization', 'nothing', 'nowhere', 'unauthenticated'],
    ['a foreign organization', 'ada-key', 'other', 'forbidden'],
    ['an unknown organization', 'ada-key', 'nowhere', 'forbidden'],
    ['an organization in other letters', 'ada-key', 'Acme', 'forbidden'],
    ['an organization named like an id', 'ada-key', 'o1', 'forbidden'],
    ['an organization of a thousand letters', 'ada-key', 'a'.repeat(4_000), 'forbidden'],
  ])('%s', async (_what, key, org, refusal) => {
    expect(await roleOf(key, org)).toBe(refusal);
  });

  it('refuses a key from the second in which it expires, remembered or not', async () => {
    addKey('short', ada, now / 1_000 + 0.5);
    expect(await roleOf('short')).toBe('member');
    now += 499;
    expect(await roleOf('short')).toBe('member');
    now += 1;
    expect(await roleOf('short')).toBe('unauthenticated');
  });

  it('remembers what it found, and lets a changed role work for the stated time at most', async () => {
    addKey('changing', { ...ada, principal: 'u2' });
    expect(await roleOf('changing')).toBe('forbidden');
    addMember('o1', 'u2', 'reader');
    expect(await roleOf('changing')).toBe('reader');
    addMember('o1', 'u2', 'admin');
    passed += CACHED_MS - 1;
    // A change of the clock has no effect.
    now -= 3_600_000;
    expect(await roleOf('changing')).toBe('reader');
    passed += 1;
    expect(await roleOf('changing')).toBe('admin');
  });

  it('looks a wrong key up once a second, also when it comes many times at once', async () => {
    const times = (key: string) => lookUps.filter((lookUp) => lookUp.endsWith(sha256(key))).length;
    await Promise.all([roleOf('wrong-once'), roleOf('wrong-once'), roleOf('wrong-once')]);
    passed += UNKNOWN_MS - 1;
    await roleOf('wrong-once');
    expect(times('wrong-once')).toBe(1);
    addKey('wrong-once', ada);
    passed += 1;
    expect(await roleOf('wrong-once')).toBe('member');
  });

  it('looks at no more wrong keys of an address than its limit, and at those of others', async () => {
    for (let i = 0; i < LIMIT; i += 1) expect(await roleOf(`guess-${i}`)).toBe('unauthenticated');
    const looked = lookUps.length;
    expect(await roleOf('guess-more')).toEqual({ kind: 'too-many-wrong-keys', seconds: 60 });
    expect(await roleOf('guess-1')).toEqual({ kind: 'too-many-wrong-keys', seconds: 60 });
    // A right key that was not used before also has to wait.
    expect(await roleOf('ci-key')).toEqual({ kind: 'too-many-wrong-keys', seconds: 60 });
    expect(lookUps).toHaveLength(looked);
    expect(await ask('guess-more', 'acme', '192.0.2.8')).toMatchObject({ refusal: 'unauthenticated' });
    passed += 60_000;
    expect(await roleOf('ci-key')).toBe('snapshotter');
  });

  it('accepts a key that was valid before, whatever else comes from the address', async () => {
    expect(await roleOf('ada-key')).toBe('member');
    for (let i = 0; i <= LIMIT; i += 1) await roleOf(`guess-${i}`);
    passed += CACHED_MS;
    expect(await roleOf('ada-key')).toBe('member');
    stored.delete(`${apiKeys.name} ${sha256('ada-key')}`);
    passed += CACHED_MS;
    expect(await roleOf('ada-key')).toBe('unauthenticated');
    addKey('ada-key', ada);
  });
});
