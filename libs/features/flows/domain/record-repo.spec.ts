import type { RepoFacts, RepoRecorded, RepoUpdated } from '@assurance/contracts/flows/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { decideAdoptRepo, decideRecordRepo, reportedRepo, repoNames } from './record-repo';
import { repo } from './repo';

const URL = 'https://github.com/acme/shop';

describe('the repository that a report names', () => {
  const shop = { name: 'acme/shop', url: URL, provider: 'github' };

  it('has what is said beside, unless that is too much', () => {
    const fields = { url: URL, namespace_path: ['acme'], additional_info: { stars: 7 } };
    expect(reportedRepo(fields, null)).toEqual({ ...shop, namespacePath: ['acme'], additionalInfo: { stars: 7 } });
    const much = { ...fields, additional_info: { x: 'x'.repeat(16_384) } };
    expect(reportedRepo(much, null)).toEqual({ ...shop, namespacePath: ['acme'] });
  });
  it('comes from its URL', () => expect(reportedRepo(null, `${URL}.git`)).toEqual(shop));
  it.each(['codecommit::eu-west-1://my-repo', 'C:\\repos\\shop'])('keeps %s, which is no URL', (text) => {
    expect(reportedRepo(null, text)).toEqual({ name: text, url: text, provider: null });
  });
  it('comes from repo_info before repo_url', () => {
    expect(reportedRepo({ url: 'git@github.com:acme/shop.git' }, 'https://gitlab.com/x/y')).toEqual(shop);
    expect(reportedRepo({ url: '' }, URL)).toEqual(shop);
  });
  it('has name, provider, id and description as given', () => {
    const info = { url: URL, name: 'Shop', provider: 'github-enterprise', id: '42', description: '' };
    expect(reportedRepo(info, null)).toEqual({
      name: 'Shop',
      url: URL,
      provider: 'github-enterprise',
      externalId: '42',
      description: '',
    });
  });
  it('takes empty and null for not given', () => {
    expect(reportedRepo({ url: URL, name: '', provider: '', id: '', description: null }, null)).toEqual(shop);
  });
  it('may have only an id and a name', () => {
    expect(reportedRepo({ id: '42', name: 'shop' }, null)).toEqual({
      name: 'shop',
      url: '',
      provider: null,
      externalId: '42',
    });
  });
  it.each<[Parameters<typeof reportedRepo>[0], string | null]>([
    [null, null],
    [null, ''],
    [null, 'no address'],
    [null, 'https://github.com'],
    [{}, null],
    [{ name: 'shop' }, null],
    [{ id: '42' }, null],
  ])('is none for %j and %j', (info, url) => expect(reportedRepo(info, url)).toBeNull());
});

describe('the names of a repository', () => {
  const shop = { name: 'acme/shop', url: URL, provider: 'github' };

  it('are its id at the provider, and its address without letter case where the provider ignores it', () => {
    const byUrl = ['github.com/acme/shop'];
    expect(repoNames({ ...shop, url: 'https://github.com/Acme/Shop', externalId: '42' })).toEqual({
      byId: 'github:42',
      byUrl,
      byUrlBefore: 'github:https://github.com/Acme/Shop',
    });
    expect(repoNames({ ...shop, provider: null, externalId: '42' })).toMatchObject({ byId: '-:42', byUrl });
  });
  it('have both spellings on a server if only some reports name its product', () => {
    const url = 'https://git.acme.example/Acme/Shop';
    expect(repoNames({ ...shop, url, provider: 'gitlab' }).byUrl).toEqual([
      'git.acme.example/acme/shop',
      'git.acme.example/Acme/Shop',
    ]);
    expect(repoNames({ ...shop, url, provider: null }).byUrl).toEqual(['git.acme.example/Acme/Shop']);
  });
  it('are only those that are known', () => {
    expect(repoNames(shop).byId).toBeNull();
    expect(repoNames({ ...shop, url: '', externalId: '42' })).toEqual({
      byId: 'github:42',
      byUrl: [],
      byUrlBefore: null,
    });
  });
  it.each([
    ['codecommit::eu-west-1://my-repo', '-:https://codecommit/:eu-west-1://my-repo'],
    ['C:\\repos\\shop', '-:https://c/\\repos\\shop'],
    ['https://git.acme.example/a', '-:https://git.acme.example/a'],
  ])('find %s as it was registered before', (url, byUrlBefore) => {
    expect(repoNames({ name: 'n', url, provider: null }).byUrlBefore).toBe(byUrlBefore);
  });
});

describe('recording a repository', () => {
  const spec = deciderSpec({ replay: replayOf(repo), decide: decideRecordRepo });
  const fresh = { id: 'r1' };
  const shop = { name: 'acme/shop', url: URL, provider: 'github' };
  const recorded = (facts: Partial<RepoFacts> = {}): RepoRecorded => ({
    type: 'RepoRecorded',
    version: 1,
    data: { id: 'r1', ...shop, description: null, externalId: null, ...facts },
  });
  const updated = (data: Partial<RepoFacts>): RepoUpdated => ({ type: 'RepoUpdated', version: 1, data });

  it('that is new keeps all that is said', () => {
    spec.given().when(shop, fresh).thenRecords(recorded());
    const more = { description: 'sells', externalId: '42' };
    spec
      .given()
      .when({ ...shop, ...more }, fresh)
      .thenRecords(recorded(more));
  });

  it('again changes nothing, and what is left out keeps its value', () => {
    spec.given(recorded()).when(shop, fresh).thenNothing();
    const full = recorded({ description: 'sells', externalId: '42' });
    spec.given(full).when(shop, fresh).thenNothing();
    spec
      .given(full)
      .when({ ...shop, url: '', provider: null, externalId: '42' }, fresh)
      .thenNothing();
  });

  it('adopts the id that a report brings', () => {
    spec
      .given(recorded())
      .when({ ...shop, externalId: '42' }, fresh)
      .thenRecords(updated({ externalId: '42' }));
  });

  it('of the same id under another name or address renames the record', () => {
    const moved = { name: 'acme/store', url: 'https://github.com/acme/store' };
    spec
      .given(recorded({ externalId: '42' }))
      .when({ ...shop, ...moved, externalId: '42' }, fresh)
      .thenRecords(updated(moved));
  });

  it('that has an id is not renamed by a report without one', () => {
    spec
      .given(recorded({ externalId: '42' }))
      .when({ ...shop, name: 'acme/old', url: 'https://github.com/acme/old' }, fresh)
      .thenNothing();
  });

  it('keeps the id that it has', () => {
    spec
      .given(recorded({ externalId: '42' }))
      .when({ ...shop, externalId: '43' }, fresh)
      .thenNothing();
  });

  it('adds fields that no report had before', () => {
    const more = { namespacePath: [], additionalInfo: { stars: 7 } };
    spec
      .given(recorded())
      .when({ ...shop, ...more }, fresh)
      .thenRecords(updated(more));
  });

  it.each([
    ['letter case', { name: 'Acme/Shop', url: 'https://github.com/Acme/Shop' }],
    ['letter case of the name', { name: 'ACME/SHOP' }],
  ])('keeps its first spelling where another differs by %s alone', (_, other) => {
    spec
      .given(recorded())
      .when({ ...shop, ...other }, fresh)
      .thenNothing();
  });

  it('takes the address as it is written now', () => {
    const before = { url: 'https://ssh.dev.azure.com/v3/acme/p/web', name: 'v3/acme/p/web', provider: null };
    const now = { url: 'https://dev.azure.com/acme/p/_git/web', name: 'acme/p/_git/web', provider: 'azure-devops' };
    spec.given(recorded(before)).when(now, fresh).thenRecords(updated(now));
  });

  it('that was joined to another is refused, naming that one', () => {
    const joined = { type: 'RepoJoined', version: 1, data: { into: 'r0' } } as const;
    spec.given(recorded(), joined).when(shop, fresh).thenRefuses({ kind: 'repo-joined', into: 'r0' });
  });

  it('can empty its description', () => {
    spec
      .given(recorded({ description: 'sells' }))
      .when({ ...shop, description: '' }, fresh)
      .thenRecords(updated({ description: '' }));
  });
});

describe('recording a repository under the id that a report brings', () => {
  const spec = deciderSpec({ replay: replayOf(repo), decide: decideAdoptRepo });
  const shop = { name: 'acme/shop', url: URL, provider: 'github' };
  const recorded = (externalId: string | null): RepoRecorded => ({
    type: 'RepoRecorded',
    version: 1,
    data: { id: 'r1', ...shop, description: null, externalId },
  });
  const input = { ...shop, externalId: '42' };

  it('makes it, or gives it the id', () => {
    spec.given().when(input, { id: 'r1' }).thenRecords(recorded('42'));
    spec
      .given(recorded(null))
      .when(input, { id: 'r1' })
      .thenRecords({ type: 'RepoUpdated', version: 1, data: { externalId: '42' } });
  });
  it('changes nothing where it has the id', () => {
    spec.given(recorded('42')).when(input, { id: 'r1' }).thenNothing();
  });
  it('is refused where it has another id, or was joined to another', () => {
    spec.given(recorded('43')).when(input, { id: 'r1' }).thenRefuses('repo-of-other-id');
    const joined = { type: 'RepoJoined', version: 1, data: { into: 'r0' } } as const;
    spec.given(recorded(null), joined).when(input, { id: 'r1' }).thenRefuses({ kind: 'repo-joined', into: 'r0' });
  });
});
