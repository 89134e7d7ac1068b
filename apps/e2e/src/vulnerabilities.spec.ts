import type { ImportedVulnerabilities } from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import type { EnvironmentExposure } from '@assurance/contracts/vulnerabilities/answers/exposure';
import type {
  VulnerabilityAnswer,
  VulnerabilityList,
} from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import { artifact, digest, environment, flow, fresh, item, post, report } from './support/samples';
import { attestSbom } from './support/vulnerable';
import { onEveryDeployment } from './support/world';

interface Refusal {
  readonly errors: Readonly<Record<string, string>>;
}

const seconds = (time: string) => Date.parse(time) / 1_000;
const npmEntry = (id: string, name: string, fields: object = {}) => ({
  id,
  modified: '2024-01-02T00:00:00Z',
  published: '2024-01-01T00:00:00Z',
  summary: `A fault in ${name}`,
  aliases: [],
  database_specific: { severity: 'HIGH' },
  affected: [
    {
      package: { ecosystem: 'npm', name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.17.0' }] }],
    },
  ],
  ...fields,
});
const openVex = (vulnerability: string, statement: object) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': `https://acme.test/vex/${vulnerability}`,
  author: 'Acme Security',
  timestamp: '2024-02-01T00:00:00Z',
  version: 1,
  statements: [{ vulnerability: { name: vulnerability }, ...statement }],
});

onEveryDeployment((world) => {
  // Reads follow the writes of their caller: one caller reports, imports and reads.
  const admin = () => world().as('admin');
  const form = (file: string | object, data: object = {}) => {
    const body = new FormData();
    body.set('data_json', JSON.stringify(data));
    body.append('attachment_file', new Blob([typeof file === 'string' ? file : JSON.stringify(file)]), 'db.json');
    return body;
  };
  async function importFile(file: string | object, data?: object) {
    const sent = { form: form(file, data) };
    const answer = await admin().expect<ImportedVulnerabilities>(201, 'POST', '/vulnerabilities/acme', sent);
    // A list that lags behind is requested again. A name that does not exist yet is 404.
    await admin().get('/vulnerabilities/acme?per_page=1');
    return answer;
  }
  const refused = (file: string | object, data?: object) =>
    admin().expect<Refusal>(400, 'POST', '/vulnerabilities/acme', { form: form(file, data) });
  const get = (id: string, query = '') => admin().get<VulnerabilityAnswer>(`/vulnerabilities/acme/${id}${query}`);
  const list = (query: string) => admin().get<VulnerabilityList>(`/vulnerabilities/acme?${query}`);
  const running = (...fingerprints: readonly string[]) =>
    fingerprints.map((fingerprint) => item({ [`shop/${fingerprint.slice(0, 8)}`]: fingerprint }));

  /** An artifact whose bill of materials lists a version of a package. */
  async function built(name: string, version: string) {
    const [shop, trail, fingerprint] = [await flow(admin()), fresh('trail'), digest(fresh('artifact'))];
    await post(admin(), shop, artifact(fingerprint, { trail_name: trail, template_reference_name: 'web' }));
    await attestSbom(admin(), { flow: shop, fingerprint, trail }, `${name}@${version}`);
    return { fingerprint, purl: `pkg:npm/${name}@${version}`, flow: shop };
  }

  it('are two where one entry names two CVEs, and each is found by the advisories that mention it', async () => {
    const [lib, n] = [fresh('lib'), fresh('1')];
    const [first, second] = [`CVE-2096-${n}1`, `CVE-2096-${n}2`];
    const [one, two, both, advisory] = [`GHSA-${n}-1`, `GHSA-${n}-2`, `RUSTSEC-${n}`, `RHSA-${n}`];
    const { fingerprint } = await built(lib, '2.14.1');
    await importFile([
      npmEntry(one, lib, { aliases: [first], database_specific: { severity: 'LOW' } }),
      npmEntry(two, lib, { aliases: [second] }),
      npmEntry(both, lib, { aliases: [first, second], database_specific: { severity: 'LOW' } }),
      npmEntry(advisory, lib, { upstream: [first, second], database_specific: { severity: 'CRITICAL' } }),
    ]);
    const found = await admin().get<VulnerabilityList>(`/vulnerabilities/acme/artifacts/${fingerprint}`);
    expect(found.vulnerabilities.map(({ id, aliases, severity }) => [id, aliases, severity])).toEqual([
      [advisory, [], 'critical'],
      [second, [two], 'high'],
      [first, [one], 'low'],
    ]);
    const listed = (await list('per_page=100')).vulnerabilities.filter(({ id }) => id.includes(n));
    expect(listed.map(({ id, aliases }) => [id, aliases])).toEqual([
      [advisory, []],
      [second, [two]],
      [first, [one]],
    ]);
    expect(await get(first)).toMatchObject({
      id: first,
      aliases: [one],
      severity: 'low',
      entries: [{ id: one }, { id: advisory }, { id: both }],
      artifacts: [{ fingerprint, entries: [one, both, advisory] }],
    });
    for (const name of [advisory, both]) {
      expect(await get(name)).toMatchObject({ id: name, aliases: [], artifacts: [{ fingerprint, entries: [name] }] });
    }
  });

  it('tell which environment is exposed, from when, and in which snapshot that ended', async () => {
    const [lib, env] = [fresh('lib'), await environment(admin())];
    const [cve, ghsa] = [`CVE-2024-${fresh('1')}`, `GHSA-${fresh('aaaa')}`];
    const [firstArtifact, secondArtifact] = [await built(lib, '2.14.1'), await built(lib, '2.17.0')];
    await report(admin(), env, running(firstArtifact.fingerprint));
    const file = npmEntry(ghsa, lib, { aliases: [cve] });
    expect(await importFile(file)).toMatchObject({
      imported: true,
      filename: 'db.json',
      vulnerabilities: 1,
      unread: 0,
    });
    const exposed = await get(cve);
    expect(exposed).toMatchObject({
      id: cve,
      aliases: [ghsa],
      severity: 'high',
      summary: `A fault in ${lib}`,
      exposed: true,
      withdrawn: null,
      published: seconds('2024-01-01T00:00:00Z'),
      modified: seconds('2024-01-02T00:00:00Z'),
      artifact_count: 1,
      environment_count: 1,
      total_count: 1,
      environments: [{ environment: env, exposed: true, first_snapshot: 1, gone_snapshot: null, gone_at: null }],
      vex: { not_affected: 0, affected: 0, fixed: 0, under_investigation: 0, none: 1 },
      entries: [{ id: ghsa, severity: 'high', withdrawn: null }],
      artifacts: [
        {
          fingerprint: firstArtifact.fingerprint,
          flow: firstArtifact.flow,
          certain: true,
          entries: [ghsa],
          fixed_in: ['2.17.0'],
          component: { purl: firstArtifact.purl, name: lib, version: '2.14.1' },
          vex: null,
          environments: [{ environment: env, first_snapshot: 1, running: true, last_snapshot: null }],
        },
      ],
    });
    expect(exposed.environments[0]?.exposed_since).toBe(exposed.artifacts[0]?.environments[0]?.first_seen);
    const ids = async () => (await list(`environment=${env}`)).vulnerabilities.map(({ id }) => id);
    expect(await ids()).toEqual([cve]);

    // The deployment of the version without it ends the exposure. The vulnerability stays listed.
    await report(admin(), env, running(secondArtifact.fingerprint));
    const afterRemoval = await get(cve);
    expect(afterRemoval).toMatchObject({
      exposed: false,
      artifact_count: 1,
      environments: [{ environment: env, exposed: false, first_snapshot: 1, gone_snapshot: 2 }],
    });
    expect(afterRemoval.environments[0]?.gone_at).toBeGreaterThanOrEqual(
      afterRemoval.environments[0]?.exposed_since ?? Infinity,
    );
    expect(await ids()).toEqual([]);
    // A rollback exposes it again, and each time is notified.
    await report(admin(), env, running(firstArtifact.fingerprint));
    expect(await get(cve)).toMatchObject({
      environments: [{ environment: env, exposed: true, first_snapshot: 1, gone_snapshot: null }],
      exposures: [
        { environment: env, first_snapshot: 3, gone_snapshot: null, gone_at: null },
        { environment: env, first_snapshot: 1, gone_snapshot: 2, gone_at: afterRemoval.environments[0]?.gone_at },
      ],
    });
    await report(admin(), env, running(secondArtifact.fingerprint));
    // By every name, in any letter case.
    const again = await get(cve);
    expect(await get(ghsa)).toEqual(again);
    expect(await get(ghsa.toUpperCase())).toEqual(again);
  });

  it('keep a vulnerability in the list when a VEX statement says that it does not matter, with who said so', async () => {
    const [lib, cve, env] = [fresh('lib'), `CVE-2024-${fresh('2')}`, await environment(admin())];
    const artifact = await built(lib, '1.0.0');
    await report(admin(), env, running(artifact.fingerprint));
    await importFile([npmEntry(cve, lib)]);
    const states = async () => {
      const { vulnerabilities } = await list(`environment=${env}`);
      return vulnerabilities.map(({ id, exposed, vex }) => ({ id, exposed, vex }));
    };
    const none = { not_affected: 0, affected: 0, fixed: 0, under_investigation: 0, none: 0 };
    expect(await states()).toEqual([{ id: cve, exposed: true, vex: { ...none, none: 1 } }]);
    const justification = 'vulnerable_code_not_in_execute_path';
    const products = [
      { '@id': `pkg:oci/web@sha256:${artifact.fingerprint}`, subcomponents: [{ '@id': `pkg:npm/${lib}` }] },
    ];
    const vex = await importFile(openVex(cve, { products, status: 'not_affected', justification }));
    expect(vex).toMatchObject({ imported: true, vulnerabilities: 0, statements: 1 });
    expect(await states()).toEqual([{ id: cve, exposed: true, vex: { ...none, not_affected: 1 } }]);
    const at = seconds('2024-02-01T00:00:00Z');
    expect((await get(cve)).artifacts).toMatchObject([
      { vex: { status: 'not_affected', justification, by: 'Acme Security', at } },
    ]);

    // A later CycloneDX document of the component's maker replaces the statement.
    await importFile({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { timestamp: '2024-03-01T00:00:00Z', supplier: { name: 'Maker' } },
      vulnerabilities: [{ id: cve, analysis: { state: 'in_triage' }, affects: [{ ref: artifact.purl }] }],
    });
    expect(await states()).toEqual([{ id: cve, exposed: true, vex: { ...none, under_investigation: 1 } }]);
    expect((await get(cve)).artifacts).toMatchObject([{ vex: { status: 'under_investigation', by: 'Maker' } }]);
  });

  it('take the newest version of an entry, and end with it when it is withdrawn', async () => {
    const [lib, id, env] = [fresh('lib'), fresh('OSV-1'), await environment(admin())];
    const artifact = await built(lib, '1.0.0');
    await report(admin(), env, running(artifact.fingerprint));
    const versions = {
      first: npmEntry(id, lib),
      milder: npmEntry(id, lib, { modified: '2024-01-03T00:00:00Z', database_specific: { severity: 'LOW' } }),
      withdrawn: npmEntry(id, lib, { modified: '2024-01-04T00:00:00Z', withdrawn: '2024-01-04T00:00:00Z' }),
    };
    await importFile(versions.milder);
    expect(await get(id)).toMatchObject({ severity: 'low', artifact_count: 1 });
    await importFile(versions.first);
    expect(await get(id)).toMatchObject({ severity: 'low', artifact_count: 1 });
    const listed = async (query: string) => (await list(`environment=${env}&${query}`)).total_count;
    expect([await listed('min_severity=low'), await listed('min_severity=medium')]).toEqual([1, 0]);
    await importFile(versions.withdrawn);
    expect(await get(id)).toMatchObject({
      withdrawn: seconds('2024-01-04T00:00:00Z'),
      exposed: false,
      artifact_count: 0,
      artifacts: [],
    });
    expect(await listed('')).toBe(0);
    expect(await importFile(versions.first)).toMatchObject({ imported: false });
    expect(await get(id)).toMatchObject({ artifact_count: 0 });
  });

  it('find what is deployed after the import, and list the worst first, each with all its names', async () => {
    const [lib, other, env] = [fresh('lib'), fresh('other'), await environment(admin())];
    const [cve, ghsa, worse] = [`CVE-2024-${fresh('3')}`, `GHSA-${fresh('cccc')}`, `CVE-2024-${fresh('4')}`];
    const lines = [
      npmEntry(ghsa, lib, { aliases: [cve] }),
      npmEntry(`${ghsa}-copy`, lib, { aliases: [cve], database_specific: {} }),
      npmEntry(worse, other, { database_specific: { severity: 'CRITICAL' } }),
    ];
    await importFile(lines.map((line) => JSON.stringify(line)).join('\n'));
    const [firstArtifact, secondArtifact] = [await built(lib, '1.0.0'), await built(other, '1.0.0')];
    await report(
      admin(),
      env,
      running(firstArtifact.fingerprint, secondArtifact.fingerprint, digest(fresh('unknown'))),
    );
    const listed = await list(`environment=${env}`);
    expect(listed).toMatchObject({
      total_count: 2,
      without_sbom: 1,
      incomplete_sbom: 0,
      last_import: { filename: 'db.json', unread: 0 },
      vulnerabilities: [
        { id: worse, severity: 'critical' },
        { id: cve, aliases: [ghsa, `${ghsa}-copy`], severity: 'high' },
      ],
    });
    const second = await list(`environment=${env}&page=2&per_page=1`);
    expect(second).toMatchObject({ page: 2, total_pages: 2, vulnerabilities: [{ id: cve }] });
    // Links keep the filters.
    expect(second._links).not.toHaveProperty('next');
    const { pathname, search } = new URL(second._links.prev ?? '');
    expect(pathname).toBe('/api/v2/vulnerabilities/acme');
    expect(await list(search.slice(1))).toMatchObject({ page: 1, vulnerabilities: [{ id: worse }] });
    expect((await get(cve)).artifacts).toMatchObject([{ entries: [ghsa, `${ghsa}-copy`] }]);
    // Both are in the list of the whole organization, too.
    expect((await list('min_severity=critical&per_page=100')).vulnerabilities).toContainEqual(
      expect.objectContaining({ id: worse }),
    );
  });

  it('count by day and severity what an environment was exposed to', async () => {
    const [lib, other, env] = [fresh('lib'), fresh('other'), await environment(admin())];
    const [high, low] = [`CVE-2024-${fresh('5')}`, `CVE-2024-${fresh('6')}`];
    const [firstArtifact, secondArtifact, thirdArtifact] = [
      await built(lib, '1.0.0'),
      await built(other, '1.0.0'),
      await built(lib, '2.17.0'),
    ];
    await importFile([npmEntry(high, lib), npmEntry(low, other, { database_specific: { severity: 'LOW' } })]);
    // 1 March 2024, 12:00 (UTC), and every full day behind it.
    const at = (days: number) => seconds('2024-03-01T12:00:00Z') + days * 86_400;
    const observed = (days: number, ...fingerprints: readonly string[]) => {
      const path = `/environments/acme/${env}/report/docker?observed_at=${at(days)}`;
      return admin().expect(200, 'PUT', path, { json: { artifacts: running(...fingerprints) } });
    };
    await observed(0, firstArtifact.fingerprint);
    await observed(1, firstArtifact.fingerprint, secondArtifact.fingerprint);
    // A day counts a version that ran for a part of it.
    await observed(2, thirdArtifact.fingerprint);
    await observed(2.1, thirdArtifact.fingerprint, digest(fresh('unknown')));
    await observed(3, thirdArtifact.fingerprint);
    // What runs elsewhere too is counted there, and here as long as it runs here.
    const elsewhere = await environment(admin());
    await report(admin(), elsewhere, running(firstArtifact.fingerprint));
    const path = `/vulnerabilities/acme/exposure/${env}`;
    const exposure = (query: string) => admin().get<EnvironmentExposure>(`${path}?${query}`);
    const window = `start_ts=${at(-1)}&end_ts=${at(4)}`;
    const answer = await exposure(window);
    expect(answer).toMatchObject({ environment: env, time_zone: 'UTC', last_import: { filename: 'db.json' } });
    const countsOf = ({ days }: EnvironmentExposure) =>
      days.map((day) => [day.date, day.high, day.low, day.critical + day.medium + day.unknown, day.without_sbom]);
    expect(countsOf(answer)).toEqual([
      ['2024-02-29', 0, 0, 0, 0],
      ['2024-03-01', 1, 0, 0, 0],
      ['2024-03-02', 1, 1, 0, 0],
      ['2024-03-03', 1, 1, 0, 1],
      ['2024-03-04', 0, 0, 0, 1],
      ['2024-03-05', 0, 0, 0, 0],
    ]);
    expect(answer.now).toEqual({
      critical: 0,
      high: 0,
      medium: 0,
      low: 0,
      none: 0,
      unknown: 0,
      without_sbom: 0,
      incomplete_sbom: 0,
      unmatched_components: 0,
    });
    const { now } = await admin().get<EnvironmentExposure>(`/vulnerabilities/acme/exposure/${elsewhere}?${window}`);
    expect(now).toEqual({ ...answer.now, high: 1 });
    // In another time zone the same moments are of other days.
    const inAuckland = await exposure(`start_ts=${at(0)}&end_ts=${at(0)}&time_zone=Pacific/Auckland`);
    expect(countsOf(inAuckland)).toEqual([['2024-03-02', 1, 0, 0, 0]]);
    const long = await admin().expect<Refusal>(400, 'GET', `${path}?start_ts=0&end_ts=${at(0)}`);
    expect(long.errors).toHaveProperty('start_ts');
    await admin().expect(400, 'GET', `${path}?time_zone=Nowhere`);
    await admin().expect(404, 'GET', `/vulnerabilities/acme/exposure/${fresh('nowhere')}`);
    // Future days have no figures.
    expect((await exposure('end_ts=32503680000&start_ts=32503600000')).days).toEqual([]);
  });

  it('are imported where others of their file cannot be read, and say what nobody compares', async () => {
    const [lib, id] = [fresh('lib'), fresh('OSV-3')];
    const kernel = { package: { ecosystem: 'Linux', name: 'Kernel' }, versions: ['6'] };
    const file = [npmEntry(id, lib), { id: 'B' }, npmEntry(fresh('OSV-4'), lib, { affected: [kernel] })];
    const unknown_ecosystems = [{ name: 'Linux', entries: 1 }];
    const imported = { vulnerabilities: 2, unread: 1, problems: ['1.modified: Field required'], unknown_ecosystems };
    expect(await importFile(file)).toMatchObject({ imported: true, ...imported });
    expect(await importFile(file)).toMatchObject({ imported: false, ...imported, problems: [] });
    expect(await list('per_page=1')).toMatchObject({ last_import: { unread: 1, unknown_ecosystems } });
    expect(await get(id)).toMatchObject({ id });
  });

  it('refuse files that are none, and record nothing of them', async () => {
    const [lib, id] = [fresh('lib'), fresh('OSV-2')];
    expect((await refused('no json')).errors).toHaveProperty('attachment_file');
    expect((await refused('')).errors).toHaveProperty('attachment_file');
    const { errors } = await refused([{ id }, { id: 'B' }]);
    expect(errors['attachment_file']).toBe('0.modified: Field required');
    expect((await refused(npmEntry(id, lib), { format: 'openvex' })).errors['attachment_file']).toContain('@context');
    expect((await refused(npmEntry(id, lib), { format: 'csv' })).errors).toHaveProperty('format');
    await world().as('reader').expect(404, 'GET', `/vulnerabilities/acme/${id}`);
    const without = new FormData();
    without.set('data_json', '{}');
    await admin().expect(400, 'POST', '/vulnerabilities/acme', { form: without });
    await world()
      .as('member')
      .expect(403, 'POST', '/vulnerabilities/acme', { form: form(npmEntry(id, lib)) });
    await world()
      .as('reader')
      .expect(404, 'GET', `/vulnerabilities/acme?environment=${fresh('nowhere')}`);
    await world().as('reader').expect(400, 'GET', '/vulnerabilities/acme?min_severity=terrible');
    await world().withHeader(null).expect(401, 'GET', '/vulnerabilities/acme');
  });
});
