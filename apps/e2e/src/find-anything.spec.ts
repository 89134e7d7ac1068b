import type { SearchResults, SearchResult } from '@assurance/contracts/environments/answers/search';
import {
  artifact,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  policyForm,
  post,
  PROVENANCE,
  report,
  repository,
  sha1,
} from './support/samples';
import { attestSbom } from './support/vulnerable';
import { onEveryDeployment } from './support/world';

/** One search through all that an organization has. */
onEveryDeployment((world) => {
  const admin = () => world().as('admin');
  const find = (q: string, limit = 20) =>
    admin().get<SearchResults>(`/search/acme?q=${encodeURIComponent(q)}&limit=${limit}`);
  const brief = ({ kind, name, found_in, text }: SearchResult) => [kind, name, found_in, text];
  const begin = (into: string, name: string, git_commit_info: object, status = 201) =>
    admin().expect(status, 'PUT', `/trails/acme/${into}`, { form: flowForm({ name, git_commit_info }) });
  const results = async (q: string) => (await find(q)).results.map(brief);

  /** Makes more things than the search looks through. */
  const moreThanSearched = async (make: (i: number) => Promise<unknown>) => {
    const left = Array.from({ length: 1_001 }, (_, i) => i);
    const work = Array.from({ length: 32 }, async () => {
      for (let i = left.pop(); i !== undefined; i = left.pop()) await make(i);
    });
    await Promise.all(work);
  };

  it('finds each kind by a part of its name, in any letter case', async () => {
    const word = fresh('needle');
    const env = `${word}-env`;
    await admin().expect(201, 'PUT', '/environments/acme', { json: { name: env, type: 'docker' } });
    await admin().expect(201, 'PUT', '/flows/acme', { json: { name: `${word}-flow`, template: ['artifact'] } });
    const rules = `${word}-policy`;
    await admin().expect(201, 'PUT', '/policies/acme', { form: policyForm({ name: rules }, PROVENANCE) });
    await admin().expect(201, 'POST', '/controls/acme', { json: { identifier: `${word}-control`, name: 'Reviews' } });
    const repo = { ...repository(), name: `acme/${word}-repo`, url: `https://github.com/acme/${word}-repo` };
    const trail_name = `${word}-trail`;
    await post(
      admin(),
      `${word}-flow`,
      artifact(digest(word), { filename: `${word}:1.2`, trail_name, repo_info: repo }),
    );
    await report(admin(), env, [item({ [`${word}-strange:1`]: digest(`${word} strange`) })]);
    expect(await results(word.toUpperCase())).toEqual([
      ['environment', env, 'name', env],
      ['flow', `${word}-flow`, 'name', `${word}-flow`],
      ['repository', repo.name, 'name', repo.name],
      ['policy', rules, 'name', rules],
      ['control', 'Reviews', 'identifier', `${word}-control`],
      ['artifact', `${word}:1.2`, 'name', `${word}:1.2`],
      ['trail', trail_name, 'name', trail_name],
    ]);
    const [strange] = (await find(`${word}-strange`)).results;
    expect(strange).toMatchObject({
      kind: 'artifact',
      environment: env,
      flow: null,
      fingerprint: digest(`${word} strange`),
    });
    const [built] = (await find(`${word}:1.2`)).results;
    expect(built).toMatchObject({ flow: `${word}-flow`, environment: null, fingerprint: digest(word) });
    expect((await find(word, 1)).results).toHaveLength(7);
  });

  it('finds artifacts by commit message, author, and the beginning of commit or fingerprint', async () => {
    const [into, word] = [await flow(admin()), fresh('haystack')];
    const sha = sha1(word);
    const info = artifact(digest(word)).git_commit_info;
    const git_commit_info = {
      ...info,
      sha1: sha,
      message: `First line\n\nmends the ${word} leak`,
      author: `Ada ${word}-ada <ada@example.com>`,
    };
    await post(admin(), into, artifact(digest(word), { filename: 'plain:1', git_commit: sha, git_commit_info }));
    expect(await results(`${word} leak`)).toEqual([
      ['artifact', 'plain:1', 'commit message', `mends the ${word} leak`],
    ]);
    expect(await results(`${word}-ada`)).toEqual([
      ['artifact', 'plain:1', 'author', `Ada ${word}-ada <ada@example.com>`],
    ]);
    expect(await results(sha.slice(0, 12))).toEqual([['artifact', 'plain:1', 'commit', sha]]);
    expect(await results(`sha256:${digest(word).slice(0, 12).toUpperCase()}`)).toEqual([
      ['artifact', 'plain:1', 'fingerprint', digest(word)],
    ]);
  });

  it('finds trails by message, author, and the beginning of their own commit', async () => {
    const [into, word] = [await flow(admin()), fresh('walk')];
    const sha = sha1(word);
    const author = `Bo ${word}-bo <bo@example.com>`;
    const info = { sha1: sha, message: `Mend the ${word} gate\n\nwith nails`, author };
    await begin(into, `pull-of-${into}`, info);
    expect(await results(`${word} gate`)).toEqual([
      ['trail', `pull-of-${into}`, 'commit message', `Mend the ${word} gate`],
    ]);
    expect(await results(`${word}-BO`)).toEqual([['trail', `pull-of-${into}`, 'author', author]]);
    for (const text of [sha, sha.slice(0, 7)]) {
      expect(await results(text)).toEqual([['trail', `pull-of-${into}`, 'commit', sha]]);
    }
    // The trail goes on with another commit, of which less is known.
    const next = sha1(`${word} next`);
    await begin(into, `pull-of-${into}`, { sha1: next, message: `Paint the ${word} door` }, 200);
    for (const text of [`${word} gate`, `${word}-bo`, sha]) expect(await results(text)).toEqual([]);
    expect(await results(next.slice(0, 9))).toEqual([['trail', `pull-of-${into}`, 'commit', next]]);
  });

  it('finds what has a tag', async () => {
    const [env, word] = [await environment(admin()), fresh('team')];
    await admin().expect(200, 'PATCH', `/tags/acme/environment/${env}`, { json: { set_tags: { [word]: 'night' } } });
    expect(await results(word)).toEqual([['environment', env, 'tag', `${word}: night`]]);
  });

  it('finds vulnerabilities by each of their names, and components by the beginning of theirs', async () => {
    const [built, trail, word] = [await flow(admin()), fresh('trail'), fresh('tea')];
    const [fingerprint, id, alias] = [digest(word), `GHSA-${word}-2024`, `CVE-2024-${word}`];
    await post(admin(), built, artifact(fingerprint, { trail_name: trail, template_reference_name: 'web' }));
    await attestSbom(admin(), { flow: built, fingerprint, trail }, `${word}-leaf@2.1.0`);
    const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '3.0.0' }] }];
    const affected = [{ package: { ecosystem: 'npm', name: `${word}-leaf` }, ranges }];
    const form = new FormData();
    form.set('data_json', '{}');
    const entry = { id, modified: '2024-01-02T00:00:00Z', summary: 'A leak', aliases: [alias], affected };
    form.append('attachment_file', new Blob([JSON.stringify(entry)]), 'db.json');
    await admin().expect(201, 'POST', '/vulnerabilities/acme', { form });
    const byName = async (text: string) =>
      (await results(text)).filter(([kind]) => kind === 'vulnerability' || kind === 'component');
    for (const text of [alias, id.toLowerCase()]) {
      const [vulnerability] = await byName(text);
      expect(vulnerability?.[0]).toBe('vulnerability');
      expect([id, alias]).toContain(vulnerability?.[1]);
    }
    const component = ['component', `${word}-leaf`, 'name', `${word}-leaf`];
    for (const text of [word, `${word.toUpperCase()}-LE`]) expect(await byName(text)).toEqual([component]);
    expect(await byName(`pkg:npm/${word}-leaf`)).toEqual([
      ['component', `${word}-leaf`, 'identifier', `pkg:npm/${word}-leaf`],
    ]);
    expect((await find(word)).results.at(-1)).toMatchObject({ kind: 'component', id: `pkg:npm/${word}-leaf` });
    expect(await byName(`${alias}9`)).toEqual([]);
  });

  it('finds exceptions, members, service accounts and keys, for those who may see them', async () => {
    const [env, word] = [await environment(admin()), fresh('someone')];
    const json = {
      artifact_fingerprint: digest(word),
      artifact_name: `vendor/${word}:1`,
      description: 'By its vendor',
    };
    await admin().expect(201, 'PUT', `/allowlists/acme/${env}`, { json });
    const account = { name: `${word}-ci`, privilege: 'member', description: '' };
    await admin().expect(201, 'POST', '/service-accounts/acme', { json: account });
    const key = { description: `${word} key` };
    await admin().expect(201, 'POST', `/service-accounts/acme/${word}-ci/api-keys`, { json: key });
    const exception = ['exception', `vendor/${word}:1`, 'name', `vendor/${word}:1`];
    expect(await results(word)).toEqual([
      exception,
      ['service_account', `${word}-ci`, 'name', `${word}-ci`],
      ['key', `${word} key`, 'description', `${word} key`],
    ]);
    const [first, , last] = (await find(word)).results;
    expect([first, last]).toMatchObject([{ environment: env, fingerprint: digest(word) }, { id: `${word}-ci` }]);
    const reader = await world().as('reader').get<SearchResults>(`/search/acme?q=${word}`);
    expect(reader.results.map(brief)).toEqual([exception]);
    const { user } = (await admin().get<{ user: string }[]>('/organizations/acme/members'))[0]!;
    expect(await results(user)).toContainEqual(['member', user, 'name', user]);
  });

  it('shows nothing of another organization, and names the parameter that is wrong', async () => {
    const env = await environment(admin());
    const other = world().withHeader('Bearer other-admin-key');
    await other.refused(403, 'GET', `/search/acme?q=${env}`);
    for (const q of ['', '%20', 'x'.repeat(101)]) {
      const { errors } = await admin().expect<{ errors: object }>(400, 'GET', `/search/acme?q=${q}`);
      expect(Object.keys(errors)).toEqual(['q']);
    }
  });

  it('finds the oldest of more artifacts and trails than it looks through by words', async () => {
    const [into, word, change] = [await flow(admin()), fresh('rare'), fresh('change')];
    const name = `ghcr.io/shop/${word}-api:7.12.0`;
    const build = (fingerprint: string, filename: string, trail_name: string, more = {}) =>
      post(admin(), into, artifact(fingerprint, { filename, trail_name, ...more }));
    const { git_commit_info: info } = artifact(digest(word));
    const message = `Mend(${change}): two carts of a guest`;
    const author = `Grace ${change}-hopper <grace.${change}@example.com>`;
    await build(digest(word), name, `release-of-${word}`, {
      git_commit_info: { ...info, message: `${message}\n\nsecond ${change}-line`, author },
    });
    const [own, walk] = [sha1(`${word} own`), fresh('walk')];
    const by = `Bo ${walk}-bo <bo@example.com>`;
    const long = `Fix(${walk}): one gate ${'of-garden '.repeat(5)}${'x'.repeat(180)} last-${walk}`;
    await begin(into, 'pull-7', { sha1: own, message: `${long}\n\nmore`, author: by });
    await moreThanSearched((i) => build(digest(`${word} other ${i}`), `other:${i}`, `other-${i}`));
    expect(await results(own.slice(0, 7))).toEqual([['trail', 'pull-7', 'commit', own]]);
    for (const text of [`${walk}): ONE`, `last-${walk}`]) {
      expect(await results(text)).toEqual([['trail', 'pull-7', 'commit message', long.slice(0, 200)]]);
    }
    expect(await results(`${walk}-bo`)).toEqual([['trail', 'pull-7', 'author', by]]);
    expect(await results(word)).toEqual([
      ['artifact', name, 'name', name],
      ['trail', `release-of-${word}`, 'name', `release-of-${word}`],
    ]);
    expect(await results('GHCR.io/shop/')).toEqual([['artifact', name, 'name', name]]);
    expect(await results(':7.12')).toEqual([['artifact', name, 'name', name]]);
    const [trail] = (await find(`of-${word}`)).results;
    expect(trail).toMatchObject({ kind: 'trail', flow: into });
    for (const text of [`${change.toUpperCase()}): two`, 'TWO carts OF']) {
      expect(await results(text)).toEqual([['artifact', name, 'commit message', message]]);
    }
    for (const text of [`${change}-hop`, `<grace.${change}`]) {
      expect(await results(text)).toEqual([['artifact', name, 'author', author]]);
    }
    // A part that begins no word, and other lines of a message, are looked for in 1,000 of a kind.
    for (const text of [`hcr.io/shop/${word}`, 'wo carts of', `${change}-line`]) {
      expect(await find(text)).toEqual({ results: [], complete: false });
    }
  }, 240_000);

  it('finds the last of more flows and environments than it looks through by words of their tags', async () => {
    const [word, owner] = [fresh('tagged'), fresh('owner')];
    const kinds = { flow: `zz-${word}-flow`, environment: `zz-${word}-env` };
    const make = (path: string, json: object) => admin().expect(201, 'PUT', path, { json });
    const makeFlow = (name: string) => make('/flows/acme', { name, template: ['artifact'] });
    const makeEnvironment = (name: string) => make('/environments/acme', { name, type: 'docker' });
    const tag = (kind: string, name: string, json: object) =>
      admin().expect(200, 'PATCH', `/tags/acme/${kind}/${name}`, { json });
    await makeFlow(kinds.flow);
    await makeEnvironment(kinds.environment);
    for (const [kind, name] of Object.entries(kinds)) {
      await tag(kind, name, { set_tags: { [owner]: 'Night shift', tier: `${owner}-one` } });
    }
    await moreThanSearched((i) => makeFlow(`${word}-${i}`));
    await moreThanSearched((i) => makeEnvironment(`${word}-${i}`));
    const expected = (text: string) => [
      ['environment', kinds.environment, 'tag', text],
      ['flow', kinds.flow, 'tag', text],
    ];
    expect(await results(`${owner}: night`)).toEqual(expected(`${owner}: Night shift`));
    expect(await results(`${owner}-ONE`)).toEqual(expected(`tier: ${owner}-one`));
    expect(await results(`wner-${owner.slice(6)}-one`)).toEqual([]);
    for (const [kind, name] of Object.entries(kinds)) await tag(kind, name, { remove_tags: [owner] });
    expect(await results(`${owner}: night`)).toEqual([]);
    await admin().expect(200, 'PUT', `/flows/acme/${kinds.flow}/archive`, {});
    expect(await results(`${owner}-one`)).toEqual([['environment', kinds.environment, 'tag', `tier: ${owner}-one`]]);
  }, 240_000);
});
