import type { Repo } from '@assurance/contracts/flows/documents';
import type {
  RepoAbsorbed,
  RepoEvent,
  RepoFacts,
  RepoJoined,
  RepoRecorded,
  RepoTagged,
  RepoUpdated,
} from '@assurance/contracts/flows/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { decideAbsorbRepos, decideJoinRepo, sameRepos } from './join-repo';
import { repo } from './repo';

const PROVIDED = { description: null, externalId: null };
const recorded = (id: string, facts: Partial<RepoFacts> = {}): RepoRecorded => ({
  type: 'RepoRecorded',
  version: 1,
  data: { id, name: 'acme/shop', url: 'https://github.com/acme/shop', provider: 'github', ...PROVIDED, ...facts },
});
const tagged = (set: Readonly<Record<string, string>>): RepoTagged => ({
  type: 'RepoTagged',
  version: 1,
  data: { set, removed: [] },
});
const joinedInto = (into: string): RepoJoined => ({ type: 'RepoJoined', version: 1, data: { into } });
function stateOf(id: string, facts: Partial<RepoFacts> = {}, more: Partial<Repo> = {}): Repo {
  const state = replayOf(repo)([recorded(id, facts)]);
  if (state === null) throw new Error('it was recorded');
  return { ...state, ...more };
}

describe('repositories of an organization', () => {
  const lookupOf = (...repos: Repo[]) => {
    const { same, unclear } = sameRepos(repos);
    return {
      same: same.map(({ oldest, younger }) => [oldest.id, ...younger.map(({ id }) => id)]),
      unclear: unclear.map(({ id }) => id),
    };
  };
  const at = (createdAt: number) => ({ createdAt });

  it('are one under all addresses of one, and the oldest stays', () => {
    const mixed = stateOf('b', { url: 'https://github.com/Acme/Shop' }, at(1));
    expect(lookupOf(stateOf('a', {}, at(2)), mixed)).toEqual({ same: [['b', 'a']], unclear: [] });
  });

  it.each([
    ['https://ssh.dev.azure.com/v3/acme/p/web', 'https://dev.azure.com/acme/p/_git/web'],
    ['https://acme.visualstudio.com/p/_git/web', 'https://dev.azure.com/acme/p/_git/web'],
    ['https://git.acme.example/scm/SHOP/web', 'https://git.acme.example/projects/SHOP/repos/web'],
    ['https://git.acme.example/shop/web', 'https://git.acme.example/scm/SHOP/web'],
    ['https://github.com//acme//one', 'https://github.com/acme/one'],
    ['https://codecommit/:eu-west-1://shop', 'codecommit::eu-west-1://shop'],
    ['https://c/\\repos\\shop', 'C:\\repos\\shop'],
  ])('that were recorded before as %s are %s', (before, now) => {
    const [a, b] = [stateOf('a', { url: before, provider: null }), stateOf('b', { url: now, provider: null })];
    expect(lookupOf(a, b).same).toEqual([['a', 'b']]);
  });

  it('of two paths are two, also where only one of them may be a page of Bitbucket', () => {
    const plain = { provider: null };
    const [a, b] = ['https://git.acme.example/shop/web', 'https://git.acme.example/shop/Web'];
    expect(lookupOf(stateOf('a', { ...plain, url: a }), stateOf('b', { ...plain, url: b })).same).toEqual([]);
  });

  it('of one address and two ids are two, and those without an id stay', () => {
    const [a, b, c] = [stateOf('a', { externalId: '1' }), stateOf('b', { externalId: '2' }), stateOf('c')];
    expect(lookupOf(a, b, c)).toEqual({ same: [], unclear: ['c'] });
  });

  it('are the same if only one of them has an id', () => {
    expect(lookupOf(stateOf('a'), stateOf('b', { externalId: '2' })).same).toEqual([['a', 'b']]);
  });

  it('without an address, or joined already, are not looked at', () => {
    const identifiers = { url: '', externalId: '1' };
    expect(
      lookupOf(stateOf('a', identifiers), stateOf('b', identifiers), stateOf('c'), stateOf('d', {}, { joined: 'c' }))
        .same,
    ).toEqual([]);
  });
});

describe('taking younger repositories in', () => {
  const replay = replayOf(repo);
  const spec = deciderSpec({
    replay: (events: readonly RepoEvent[]) => replay(events),
    decide: (state: Repo | null, younger: readonly Repo[]) => {
      if (state === null) throw new Error('these events begin with a record');
      return decideAbsorbRepos(state, younger);
    },
  });
  const absorbed = (...ids: string[]): RepoAbsorbed => ({ type: 'RepoAbsorbed', version: 1, data: { ids } });
  const updated = (data: Partial<RepoFacts>): RepoUpdated => ({ type: 'RepoUpdated', version: 1, data });

  it('keeps ids, also of those that the younger ones took in', () => {
    const younger = [stateOf('b', {}, { absorbed: ['c'] }), stateOf('d')];
    spec
      .given(recorded('a'))
      .when(younger)
      .thenRecords(absorbed('b', 'c', 'd'));
  });

  it('unites tags: the older value wins', () => {
    const younger = [
      stateOf('b', {}, { tags: { team: 'b', tier: 'b' } }),
      stateOf('c', {}, { tags: { tier: 'c', x: 'c' } }),
    ];
    spec
      .given(recorded('a'), tagged({ team: 'a' }))
      .when(younger)
      .thenRecords(absorbed('b', 'c'), tagged({ x: 'c', tier: 'b' }));
  });

  it('takes the id at the provider, with the name that came with it', () => {
    const younger = [stateOf('b', { externalId: '7', name: 'Acme/Shop' })];
    spec
      .given(recorded('a'))
      .when(younger)
      .thenRecords(absorbed('b'), updated({ name: 'Acme/Shop', externalId: '7' }));
  });

  it('writes the address as it is written now', () => {
    const before = { url: 'https://git.acme.example/shop/web', name: 'shop/web', provider: null };
    const younger = [
      stateOf('b', { url: 'https://git.acme.example/scm/SHOP/web', name: 'scm/SHOP/web', provider: null }),
    ];
    spec
      .given(recorded('a', before))
      .when(younger)
      .thenRecords(
        absorbed('b'),
        updated({ name: 'SHOP/web', url: 'https://git.acme.example/projects/SHOP/repos/web' }),
      );
    const azure = { url: 'https://ssh.dev.azure.com/v3/acme/p/web', name: 'Web', provider: null };
    spec
      .given(recorded('a', azure))
      .when([])
      .thenRecords(updated({ url: 'https://dev.azure.com/acme/p/_git/web', provider: 'azure-devops' }));
  });

  it('again changes nothing', () => {
    spec
      .given(recorded('a'), absorbed('b'), tagged({ tier: 'b' }))
      .when([stateOf('b', {}, { tags: { tier: 'b' } })])
      .thenNothing();
  });
});

describe('joining a repository to an older one', () => {
  const replay = replayOf(repo);
  const spec = deciderSpec({
    replay: (events: readonly RepoEvent[]) => replay(events),
    decide: (state: Repo | null, into: string) => {
      if (state === null) throw new Error('these events begin with a record');
      return decideJoinRepo(state, into);
    },
  });

  it('ends its stream', () => {
    spec.given(recorded('b')).when('a').thenRecords(joinedInto('a'));
    expect(replay([recorded('b'), joinedInto('a')])).toMatchObject({
      id: 'b',
      joined: 'a',
      org: expect.stringMatching(/^joined:/),
    });
  });
  it('again changes nothing', () => spec.given(recorded('b'), joinedInto('a')).when('a').thenNothing());
  it('is refused where it was joined to another', () =>
    spec.given(recorded('b'), joinedInto('c')).when('a').thenRefuses('joined-elsewhere'));
});
