import type { Comparison } from '@assurance/contracts/environments/answers/comparison';
import { eventually } from './support/eventually';
import { artifact, attach, digest, environment, flow, item, policy, post, PROVENANCE, report } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const path = (from: string, to: string, query = '') =>
    `/compare/acme?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}${query}`;
  const compare = (from: string, to: string, query = '') =>
    world()
      .as('reader')
      .get<Comparison>(path(from, to, query));
  /** Reports artifacts by name. The digest of a name is the same everywhere. */
  const running = async (names: readonly string[], env?: string) => {
    const target = env ?? (await environment(caller()));
    await report(
      caller(),
      target,
      names.map((name) => item({ [name]: digest(name) })),
    );
    return target;
  };
  const textsOf = ({ pairs }: Comparison) =>
    pairs.map(({ kind, from, to }) => `${kind} ${from?.name ?? '-'} ${to?.name ?? '-'}`);

  it('pairs a service whatever else runs before it', async () => {
    const many = Array.from({ length: 25 }, (_, i) => `a-${i}:1`);
    const [from, to] = [await running(['zed:1']), await running([...many, 'zed:2'])];
    const answer = await compare(from, to, '&per_page=25');
    expect(answer.counts).toEqual({ changed: 1, only_from: 0, only_to: 25, scaled: 0, same: 0 });
    expect(answer).toMatchObject({ from: `${from}#1`, to: `${to}#1`, total_count: 26, total_pages: 2 });
    expect(textsOf(answer)[0]).toBe('changed zed:1 zed:2');
    const next = await world()
      .as('reader')
      .get<Comparison>(answer._links.next?.replace(/^.*\/api\/v2/, '') ?? '');
    expect([...textsOf(answer), ...textsOf(next)].sort()).toEqual(
      ['changed zed:1 zed:2', ...many.map((name) => `only_to - ${name}`)].sort(),
    );
    expect(textsOf(await compare(from, to, '&kind=changed&kind=same'))).toEqual(['changed zed:1 zed:2']);
  });

  it('names what is in both, in other numbers and in one alone', async () => {
    const from = await running(['gone:1', 'same:1', 'more:1']);
    const to = await running(['same:1', 'more:1', 'more:1', 'come:1']);
    const answer = await compare(from, to);
    expect(textsOf(answer)).toEqual([
      'only_from gone:1 -',
      'only_to - come:1',
      'scaled more:1 more:1',
      'same same:1 same:1',
    ]);
    expect(answer.pairs.map(({ from: left, to: right }) => [left?.instance_count, right?.instance_count])).toEqual([
      [1, undefined],
      [undefined, 1],
      [1, 2],
      [1, 1],
    ]);
  });

  it('says of each side the flow, the commit and the verdict there, and links the code between', async () => {
    const flowName = await flow(caller());
    const [from, to] = [await environment(caller()), await environment(caller())];
    const [old, now] = [artifact(digest(`${from} 1`)), artifact(digest(`${from} 2`))];
    await post(caller(), flowName, old);
    await post(caller(), flowName, now);
    await attach(world().as('admin'), to, await policy(world().as('admin'), PROVENANCE));
    await report(caller(), from, [item({ 'shop/web:1': old.fingerprint })]);
    await report(caller(), to, [item({ 'shop/web:2': now.fingerprint })]);
    const { pairs } = await compare(from, to);
    expect(pairs).toMatchObject([
      {
        kind: 'changed',
        service: 'shop/web',
        from: { flow: flowName, git_commit: old.git_commit, commit_url: old.commit_url, compliant: null },
        to: { flow: flowName, git_commit: now.git_commit, fingerprint: now.fingerprint, compliant: true },
        diff_url: `https://github.com/acme/shop/compare/${old.git_commit}...${now.git_commit}`,
      },
    ]);
  });

  it('compares snapshots of one environment by every expression, and logical environments', async () => {
    const env = await running(['a:1']);
    for (const name of ['a:2', 'a:3']) await running([name], env);
    expect(textsOf(await compare(`${env}#1`, env))).toEqual(['changed a:1 a:3']);
    expect(textsOf(await compare(`${env}~1`, `${env}@{now}`))).toEqual(['changed a:2 a:3']);
    const other = await running(['b:1']);
    const logical = await environment(caller(), { type: 'logical', included_environments: [env, other] });
    const both = await eventually(
      () => world().as('reader').send('GET', path(logical, other)),
      ({ status, body }) => status === 200 && textsOf(body as Comparison).length === 2,
    );
    expect(textsOf(both.body as Comparison)).toEqual(['only_from a:3 -', 'same b:1 b:1']);
  });

  it('names what does not exist as the request named it', async () => {
    const env = await running(['a:1']);
    const refused = (from: string, to: string) => caller().refused(404, 'GET', path(from, to));
    expect(await refused(env, `${env}~4`)).toEqual({
      message: `Org: 'acme'. Snapshot '${env}~4' resolves to '${env}#-3'. len(snapshots) == 1. Indexes are 1-based`,
    });
    expect(await refused('nowhere#1', env)).toEqual({
      message: "Environment named 'nowhere' does not exist for organization 'acme'",
    });
  });

  it.each([
    ['?from=env', 'to'],
    ['?to=env', 'from'],
    ['?from=&to=env', 'from'],
    ['?from=env&to=env%23x', 'to'],
    ['?from=env&to=env&kind=other', 'kind'],
    ['?from=env&to=env&page=0', 'page'],
    ['?from=env&to=env&per_page=101', 'per_page'],
  ])('cannot take %s', async (query, field) => {
    const { errors } = await caller().refused(400, 'GET', `/compare/acme${query}`);
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });
});
