import type {
  ArtifactComponents,
  ComponentDifference,
  ComponentSearch,
  EnvironmentComponents,
} from '@assurance/contracts/components/answers/components';
import { artifact, digest, environment, flow, fresh, item, post, report, sbomOf, sha1 } from './support/samples';
import { onEveryDeployment } from './support/world';

interface Refusal {
  readonly errors: Readonly<Record<string, string>>;
}

type Component = Readonly<Record<string, unknown>>;

const npm = (name: string, version: string, more: Component = {}): Component => ({
  type: 'library',
  name,
  version,
  purl: `pkg:npm/${name}@${version}`,
  ...more,
});
const cycloneDx = (...components: readonly Component[]) => sbomOf(components);

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const where = (query: string) => caller().get<ComponentSearch>(`/components/acme?${query}`);
  const refused = (path: string) => caller().expect<Refusal>(400, 'GET', `/components/acme${path}`);

  /** Reports an artifact of a name in the template, built from a commit of its own. */
  async function built(name: string, flowName: string, template = 'web') {
    const fingerprint = digest(fresh(name));
    const commit = sha1(fingerprint);
    const body = artifact(fingerprint, { git_commit: commit, template_reference_name: template, trail_name: name });
    await post(caller(), flowName, body);
    return { fingerprint, commit, trail: name };
  }

  async function attest(flowName: string, trail: string, bom: string, more: Component) {
    const form = new FormData();
    const attestation_data = { original_fingerprint: digest(bom) };
    const data = { attestation_name: 'bom', type_name: 'sbom', attestation_data, ...more };
    form.set('data_json', JSON.stringify(data));
    form.append('attachment_file', new Blob([bom]), 'bom.json');
    await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/system`, { form });
  }

  const running = (...fingerprints: readonly string[]) =>
    fingerprints.map((fingerprint) => item({ [`shop/${fingerprint.slice(0, 8)}`]: fingerprint }));

  it('answers where a component runs, and when and in which snapshot it was gone', async () => {
    const [lib, other, shop, env] = [fresh('lib'), fresh('other'), await flow(caller()), await environment(caller())];
    const [firstArtifact, secondArtifact] = [await built(fresh('one'), shop), await built(fresh('two'), shop)];
    const licenses = [{ license: { id: 'MIT' } }];
    await attest(shop, firstArtifact.trail, cycloneDx(npm(lib, '2.14.1', { licenses }), npm(other, '1.0.0')), {
      artifact_fingerprint: firstArtifact.fingerprint,
    });
    await attest(shop, secondArtifact.trail, cycloneDx(npm(other, '1.0.0')), {
      artifact_fingerprint: secondArtifact.fingerprint,
    });
    await report(caller(), env, running(firstArtifact.fingerprint));
    const component = { purl: `pkg:npm/${lib}@2.14.1`, name: lib, version: '2.14.1', licences: ['MIT'], sha256: null };
    const before = await where(`purl=pkg:npm/${lib}&environment=${env}`);
    expect(before).toMatchObject({
      total_count: 1,
      without_sbom: 0,
      incomplete_sbom: 0,
      artifacts: [
        {
          component,
          fingerprint: firstArtifact.fingerprint,
          git_commit: firstArtifact.commit,
          repository: 'acme/shop',
          flow: shop,
          environments: [{ environment: env, first_snapshot: 1, running: true, last_snapshot: null, last_seen: null }],
        },
      ],
    });
    await report(caller(), env, running(secondArtifact.fingerprint));
    const after = await where(`purl=pkg:npm/${lib}&environment=${env}`);
    const [{ environments = [] } = {}] = after.artifacts;
    expect(environments).toMatchObject([{ environment: env, first_snapshot: 1, running: false, last_snapshot: 2 }]);
    const [place] = environments;
    expect(place?.last_seen).toBeGreaterThanOrEqual(place?.first_seen ?? Infinity);

    const at = (seconds = 0) => encodeURIComponent(new Date(seconds * 1_000).toISOString());
    const ids = ({ artifacts }: ComponentSearch) => artifacts.map(({ fingerprint }) => fingerprint);
    const text = `purl=pkg:npm/${lib}&environment=${env}`;
    expect(ids(await where(`${text}&at=${at(place?.first_seen)}`))).toEqual([firstArtifact.fingerprint]);
    expect(ids(await where(`${text}&at=${at(place?.last_seen ?? 0)}`))).toEqual([]);
    expect(ids(await where(`${text}&to=${at((place?.first_seen ?? 0) - 60)}`))).toEqual([]);
    expect(ids(await where(`${text}&from=${at(place?.first_seen)}&to=${at(place?.last_seen ?? 0)}`))).toEqual([
      firstArtifact.fingerprint,
    ]);

    const compared = await caller().get<ComponentDifference>(
      `/components/acme/compare?snappish1=${env}%231&snappish2=${env}`,
    );
    expect(compared).toMatchObject({
      snappish1: { snapshot_id: `${env}#1`, total_count: 1, components: [{ ...component, artifact_count: 1 }] },
      snappish2: { snapshot_id: `${env}#2`, total_count: 0, components: [] },
      unchanged_count: 1,
    });
    const inEnvironment = (query = '') =>
      caller().get<EnvironmentComponents>(`/components/acme/environments/${env}${query}`);
    expect(await inEnvironment()).toMatchObject({ snapshot: 2, total_count: 1, components: [{ name: other }] });
    expect(await inEnvironment(`?at=${at(place?.first_seen)}&per_page=1`)).toMatchObject({
      snapshot: 1,
      total_count: 2,
      total_pages: 2,
      components: [{ name: lib, fingerprints: [firstArtifact.fingerprint] }],
    });
  });

  it('finds components by name, version and range, and lists incomparable versions apart', async () => {
    const [lib, shop] = [fresh('lib'), await flow(caller())];
    const versions = ['2.0.0', '2.16.9', '2.17.0', 'not a version'];
    for (const version of versions) {
      const { fingerprint, trail } = await built(fresh('built'), shop);
      await attest(shop, trail, cycloneDx(npm(lib, version, { group: 'acme' })), { artifact_fingerprint: fingerprint });
    }
    const matches = async (query: string) => {
      const { artifacts, not_comparable } = await where(`${query}&flow=${shop}`);
      const of = (all: readonly { readonly version: string | null }[]) => all.map(({ version }) => version).sort();
      return [of(artifacts.map(({ component }) => component)), of(not_comparable.components)];
    };
    expect(await matches(`purl=pkg:npm/${lib}&range=${encodeURIComponent('>=2,<2.17')}`)).toEqual([
      ['2.0.0', '2.16.9'],
      ['not a version'],
    ]);
    expect(await matches(`name=${lib.toUpperCase()}`)).toEqual([[...versions].sort(), []]);
    expect(await matches(`name=acme/${lib}&version=2.0.0`)).toEqual([['2.0.0'], []]);
    expect(await matches(`name=other/${lib}`)).toEqual([[], []]);
    expect(await matches(`purl=pkg:NPM/${lib}@2.17.0`)).toEqual([['2.17.0'], []]);
    const page = await where(`name=${lib}&page=2&per_page=3`);
    expect(page).toMatchObject({ total_count: 4, total_pages: 2, page: 2 });
    expect(page.artifacts).toHaveLength(1);
    const { pathname, search } = new URL(page._links.prev ?? '');
    expect([pathname, page._links]).toEqual([
      '/api/v2/components/acme',
      expect.not.objectContaining({ next: page._links.last }),
    ]);
    const before = await where(search.slice(1));
    expect(before).toMatchObject({ page: 1, total_count: 4, _links: { next: page._links.self } });
    expect(before.artifacts).toHaveLength(3);
  });

  it('finds a package of PyPI and of NuGet by each spelling of its name', async () => {
    const [name, shop] = [fresh('lib'), await flow(caller())];
    const spelled = ([type, text]: readonly [string, string]) => ({
      ...npm(text, '1.0'),
      purl: `pkg:${type}/${text}@1.0`,
    });
    for (const each of [
      ['pypi', `${name}.yaml`],
      ['pypi', `${name}_yaml`],
      ['nuget', `${name}.Json`],
    ] as const) {
      const { fingerprint, trail } = await built(fresh('built'), shop);
      await attest(shop, trail, cycloneDx(spelled(each)), { artifact_fingerprint: fingerprint });
    }
    const count = async (purl: string) => (await where(`purl=${purl}&flow=${shop}`)).total_count;
    expect(await count(`pkg:pypi/${name}-yaml`)).toBe(2);
    expect(await count(`pkg:pypi/${name}..YAML@1.0`)).toBe(2);
    expect(await count(`pkg:nuget/${name.toUpperCase()}.json`)).toBe(1);
    expect(await count(`pkg:nuget/${name}-json`)).toBe(0);
  });

  it('counts artifacts without a bill of materials in every answer', async () => {
    const [lib, shop, env] = [fresh('lib'), await flow(caller()), await environment(caller())];
    const [firstArtifact, secondArtifact] = [await built(fresh('one'), shop), await built(fresh('two'), shop)];
    const unknown = digest(fresh('unknown'));
    await attest(shop, firstArtifact.trail, cycloneDx(npm(lib, '1.0.0')), {
      artifact_fingerprint: firstArtifact.fingerprint,
    });
    await report(caller(), env, running(firstArtifact.fingerprint, secondArtifact.fingerprint, unknown));
    expect(await where(`name=${lib}&flow=${shop}`)).toMatchObject({ total_count: 1, without_sbom: 1 });
    expect(await where(`name=${lib}&environment=${env}`)).toMatchObject({ total_count: 1, without_sbom: 2 });
    expect(await where(`name=${lib}&environment=${env}&flow=${shop}`)).toMatchObject({ without_sbom: 1 });
    expect(await caller().get(`/components/acme/environments/${env}`)).toMatchObject({ without_sbom: 2 });
    const compared = await caller().get<ComponentDifference>(
      `/components/acme/compare?snappish1=${env}&snappish2=${env}`,
    );
    expect(compared).toMatchObject({ snappish1: { without_sbom: 2 }, snappish2: { without_sbom: 2 } });
    const of = (fingerprint: string) => caller().get<ArtifactComponents>(`/components/acme/artifacts/${fingerprint}`);
    expect(await of(firstArtifact.fingerprint)).toMatchObject({
      without_sbom: 0,
      total_count: 1,
      components: [{ name: lib }],
    });
    expect(await of(secondArtifact.fingerprint)).toMatchObject({ without_sbom: 1, total_count: 0, components: [] });
    expect(await of(unknown)).toMatchObject({ without_sbom: 1 });
  });

  it('takes an artifact that nobody reported or ran, and a part of a fingerprint, for none', async () => {
    const { fingerprint } = await built(fresh('built'), await flow(caller()));
    for (const list of ['/components/acme/artifacts', '/vulnerabilities/acme/artifacts']) {
      await caller().get(`${list}/${fingerprint}`);
      for (const other of [digest(fresh('never')), fingerprint.slice(0, 12)]) {
        const { message } = await caller().expect<{ readonly message: string }>(404, 'GET', `${list}/${other}`);
        expect(message).toBe(`Artifact with fingerprint '${other}' does not exist`);
      }
    }
  });

  it('takes the newest bill of materials of a name, and those that come before their artifact', async () => {
    const [old, newer, early, shop] = [fresh('old'), fresh('newer'), fresh('early'), await flow(caller())];
    const { fingerprint, trail } = await built(fresh('built'), shop);
    await attest(shop, trail, cycloneDx(npm(old, '1.0.0')), { artifact_fingerprint: fingerprint });
    await attest(shop, trail, cycloneDx(npm(newer, '1.0.0')), { artifact_fingerprint: fingerprint });
    expect(await where(`name=${old}`)).toMatchObject({ total_count: 0 });
    expect(await where(`name=${newer}`)).toMatchObject({ total_count: 1 });

    const [awaited, late] = [digest(fresh('late')), fresh('trail')];
    const commit = sha1(awaited);
    const git_commit_info = { sha1: commit, message: 'm', author: 'a', branch: 'b', timestamp: 1, url: '' };
    await attest(shop, late, cycloneDx(npm(early, '1.0.0')), { target_artifacts: ['web'], git_commit_info });
    expect(await where(`name=${early}`)).toMatchObject({ total_count: 0 });
    const body = artifact(awaited, { git_commit: commit, template_reference_name: 'web', trail_name: late });
    await post(caller(), shop, body);
    expect(await where(`name=${early}`)).toMatchObject({ artifacts: [{ fingerprint: awaited }] });
  });

  it('refuses questions that are none', async () => {
    expect((await refused('')).errors).toHaveProperty('purl');
    expect((await refused('?purl=pkg:npm/a&name=a')).errors).toHaveProperty('name');
    expect((await refused('?purl=log4j')).errors).toHaveProperty('purl');
    expect((await refused('?purl=pkg:npm/a%2500b')).errors).toHaveProperty('purl');
    expect((await refused('?purl=pkg:npm/a@1&version=1')).errors).toHaveProperty('version');
    expect((await refused('?name=a&version=1&range=1')).errors).toHaveProperty('range');
    expect((await refused('?name=a&range=%3E%3E1')).errors).toHaveProperty('range');
    const interval = encodeURIComponent('[2.0,2.17)');
    expect((await refused(`?purl=pkg:maven/g/a&range=${interval}`)).errors['range']).toContain('without brackets');
    expect((await refused('?purl=pkg:npm/a&range=%3E%3D1,%3Cxx')).errors).toEqual({
      range: "Input should have versions that can be compared for 'npm' [input: xx]",
    });
    const bounds = Array.from({ length: 21 }, () => '1').join(',');
    expect((await refused(`?name=a&range=${bounds}`)).errors['range']).toContain('at most 20 bounds');
    expect((await refused(`?name=a&range=${'>=1,'.repeat(300)}`)).errors['range']).toBe(
      'Input has 1200 characters, more than the limit of 1024. Ask for parts of the range one after the other',
    );
    expect((await refused('?name=a&at=2026-01-01&from=2026-01-01')).errors).toHaveProperty('at');
    expect((await refused('?name=a&from=2026-01-02&to=2026-01-01')).errors).toHaveProperty('to');
    await caller().expect(404, 'GET', `/components/acme?name=a&environment=${fresh('nowhere')}`);
    await caller().expect(404, 'GET', `/components/acme?name=a&flow=${fresh('nowhere')}`);
    await caller().expect(404, 'GET', `/components/acme/environments/${fresh('nowhere')}`);
    await world().withHeader(null).expect(401, 'GET', '/components/acme?name=a');
  });
});
