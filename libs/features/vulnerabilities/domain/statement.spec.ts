import { readCycloneDxVex } from './cyclonedx';
import { readOpenVex } from './openvex';
import type { VexStatement as Statement } from '@assurance/contracts/vulnerabilities/events';
import { vexState } from './statement';

type Read = ReturnType<typeof readOpenVex>;

const unwrap = (result: Read) => {
  if (!result.ok) throw new Error(`${result.refusal.field}: ${result.refusal.problem}`);
  return result.value.items;
};
const refusedFields = (result: Read) =>
  (result.ok ? result.value.refusals : [result.refusal]).map(({ field }) => field);
const CVE = { id: 'CVE-2021-44228', aliases: ['GHSA-jfh8-c2jp-5v3q'] };
const PRODUCT = 'pkg:oci/shop@sha256:aa';
const LOG4J = 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1';

/** Based on the example of the OpenVEX specification. */
const openVex = (...statements: readonly object[]) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://example.com/vex/1',
  author: 'Security of the shop',
  timestamp: '2022-01-01T00:00:00Z',
  version: 1,
  statements,
});
const statementOf = (status: string, timestamp: string, fields: object = {}) => ({
  vulnerability: { name: 'CVE-2021-44228' },
  products: [{ '@id': PRODUCT }],
  status,
  timestamp,
  ...(status === 'not_affected' ? { justification: 'vulnerable_code_not_in_execute_path' } : {}),
  ...fields,
});
const stateOf = (statements: readonly Statement[], subject = { product: PRODUCT }, vulnerability = CVE) =>
  vexState(statements, subject, vulnerability)?.status ?? null;
const fromOpenVex = (...statements: readonly object[]) => unwrap(readOpenVex(openVex(...statements)));

describe('statements of OpenVEX', () => {
  it('are read', () => {
    const products = [
      { '@id': 'shop', identifiers: { purl: PRODUCT }, subcomponents: [{ '@id': LOG4J }] },
      'urn:other',
    ];
    const vulnerability = { '@id': 'https://nvd.example/1', name: 'CVE-2021-44228', aliases: ['GHSA-jfh8-c2jp-5v3q'] };
    expect(fromOpenVex(statementOf('not_affected', '2022-02-01T00:00:00+01:00', { products, vulnerability }))).toEqual([
      {
        vulnerability: 'CVE-2021-44228',
        aliases: ['GHSA-jfh8-c2jp-5v3q'],
        products: [
          { id: PRODUCT, subcomponents: [LOG4J] },
          { id: 'urn:other', subcomponents: [] },
        ],
        status: 'not_affected',
        justification: 'vulnerable_code_not_in_execute_path',
        by: 'Security of the shop',
        at: Date.UTC(2022, 0, 31, 23),
      },
    ]);
  });

  it('name artifacts by their digest, also beside another name, and by the statement around their document', () => {
    const digest = 'ab'.repeat(32);
    const hashes = { 'sha-256': digest.toUpperCase() };
    const products = [{ hashes }, { '@id': 'urn:web', hashes }, { '@id': 'urn:other', hashes: { md5: 'x' } }];
    const ids = (result: Read) => unwrap(result).flatMap((one) => one.products.map(({ id }) => id));
    const document = openVex(statementOf('fixed', '2022-01-01T00:00:00Z', { products }));
    const own = `sha256:${digest}`;
    expect(ids(readOpenVex(document, ['00'.repeat(32)]))).toEqual([own, own, 'urn:web', 'urn:other']);
    const without = openVex(statementOf('fixed', '2022-01-01T00:00:00Z', { products: undefined }));
    expect(ids(readOpenVex(without, [digest]))).toEqual([own]);
    expect(ids(readOpenVex(without))).toEqual([]);
  });

  it('are read where others of their document cannot be', () => {
    const good = statementOf('fixed', '2022-01-01T00:00:00Z');
    const result = readOpenVex(openVex(good, { ...good, status: 'safe' }, good));
    expect([unwrap(result).length, refusedFields(result)]).toEqual([2, ['statements.1.status']]);
  });

  it('have the time of their document where they have none', () => {
    const [statement] = fromOpenVex({ ...statementOf('fixed', ''), timestamp: undefined, vulnerability: 'CVE-1' });
    expect(statement).toMatchObject({ vulnerability: 'CVE-1', at: Date.UTC(2022, 0, 1) });
  });

  it.each<[string, unknown]>([
    ['@context', { ...openVex(), '@context': 'https://example.com' }],
    ['statements', { ...openVex(), statements: undefined }],
    ['statements.0.status', openVex(statementOf('maybe', '2022-01-01T00:00:00Z'))],
    ['statements.0.vulnerability.name', openVex(statementOf('fixed', '2022-01-01T00:00:00Z', { vulnerability: {} }))],
    [
      'statements.0.justification',
      openVex(statementOf('not_affected', '2022-01-01T00:00:00Z', { justification: undefined })),
    ],
    [
      'statements.0.justification',
      openVex(statementOf('not_affected', '2022-01-01T00:00:00Z', { justification: 'because' })),
    ],
    ['statements.0.timestamp', openVex(statementOf('fixed', 'now'))],
    ['statements.0.products.0.@id', openVex(statementOf('fixed', '2022-01-01T00:00:00Z', { products: [{}] }))],
  ])('are refused with the field %s', (field, document) => {
    expect(refusedFields(readOpenVex(document))).toEqual([field]);
  });
});

/** Based on the VEX examples of CycloneDX. */
const bom = (vulnerabilities: readonly object[], fields: object = {}) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { timestamp: '2022-01-01T00:00:00Z', supplier: { name: 'ACME' } },
  components: [
    { 'bom-ref': 'outer', name: 'o', components: [{ 'bom-ref': 'inner', name: 'log4j-core', purl: LOG4J }] },
  ],
  vulnerabilities,
  ...fields,
});
const analysed = (state: string, ref: string, fields: object = {}) => ({
  id: 'CVE-2021-44228',
  analysis: { state, justification: 'code_not_reachable', response: ['will_not_fix', 'update'] },
  affects: [{ ref }],
  ...fields,
});

describe('statements of CycloneDX', () => {
  it.each([
    ['inner', LOG4J],
    [LOG4J, LOG4J],
    ['urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#inner', LOG4J],
    [`urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#${encodeURIComponent(PRODUCT)}`, PRODUCT],
    ['urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#%ff', 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#%ff'],
  ])('name their product: %s', (ref, id) => {
    expect(unwrap(readCycloneDxVex(bom([analysed('not_affected', ref)])))).toEqual([
      {
        vulnerability: 'CVE-2021-44228',
        aliases: [],
        products: [{ id, subcomponents: [] }],
        status: 'not_affected',
        justification: 'code_not_reachable',
        by: 'ACME',
        at: Date.UTC(2022, 0, 1),
      },
    ]);
  });

  it.each([
    ['resolved', 'fixed'],
    ['resolved_with_pedigree', 'fixed'],
    ['exploitable', 'affected'],
    ['in_triage', 'under_investigation'],
    ['false_positive', 'not_affected'],
    ['not_affected', 'not_affected'],
  ])('have a status: %s is %s', (state, status) => {
    expect(unwrap(readCycloneDxVex(bom([analysed(state, 'inner')])))).toMatchObject([{ status }]);
  });

  it('name versions, each with its status, and refuse a range alone', () => {
    const versions = [
      { version: '1.0', status: 'affected' },
      { version: '2.0', status: 'unaffected' },
      { range: 'vers:generic/>=3', status: 'unaffected' },
    ];
    const affects = [{ ref: 'pkg:oci/shop@0?tag=a', versions }];
    const result = readCycloneDxVex(bom([analysed('exploitable', 'x', { affects })]));
    expect(refusedFields(result)).toEqual(['vulnerabilities.0.affects.0.versions.2.range']);
    expect(unwrap(result)).toMatchObject([
      { status: 'affected', justification: null, products: [{ id: 'pkg:oci/shop@1.0?tag=a' }] },
      { status: 'not_affected', products: [{ id: 'pkg:oci/shop@2.0?tag=a' }] },
    ]);
  });

  it('are none without an analysis', () => {
    expect(unwrap(readCycloneDxVex(bom([{ id: 'CVE-1', affects: [{ ref: 'inner' }] }])))).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['bomFormat', { ...bom([]), bomFormat: 'SPDX' }],
    ['specVersion', bom([], { specVersion: '1.3' })],
    ['vulnerabilities.0.analysis.state', bom([analysed('safe', 'inner')])],
    ['vulnerabilities.0.affects.0.ref', bom([analysed('resolved', '')])],
    ['vulnerabilities.0.id', bom([analysed('resolved', 'inner', { id: undefined })])],
    [
      'vulnerabilities.0.analysis.response.0',
      bom([analysed('resolved', 'inner', { analysis: { state: 'resolved', response: ['x'] } })]),
    ],
    ['metadata.timestamp', bom([analysed('resolved', 'inner')], { metadata: { timestamp: 'x' } })],
  ])('are refused with the field %s', (field, document) => {
    expect(refusedFields(readCycloneDxVex(document))).toEqual([field]);
  });
});

describe('the VEX state (use cases of CISA)', () => {
  const at = (month: number) => `2022-0${month}-01T00:00:00Z`;

  it('given no statement, then there is no state', () => {
    expect(stateOf([])).toBeNull();
  });

  it('given a statement about one version of one product, then it holds for that alone', () => {
    const statements = fromOpenVex(
      statementOf('not_affected', at(1), { products: [{ '@id': 'pkg:generic/shop@1.0' }] }),
    );
    expect(stateOf(statements, { product: 'pkg:generic/shop@1.0' })).toBe('not_affected');
    expect(stateOf(statements, { product: 'pkg:generic/shop@1.1' })).toBeNull();
    expect(stateOf(statements, { product: 'pkg:generic/till@1.0' })).toBeNull();
    expect(stateOf(statements, { product: 'pkg:generic/shop@1.0' }, { id: 'CVE-2', aliases: [] })).toBeNull();
  });

  it('given many versions and products, then it holds for each', () => {
    const products = ['pkg:generic/shop@1.0', 'pkg:generic/shop@1.1', 'pkg:generic/till'].map((id) => ({ '@id': id }));
    const statements = fromOpenVex(statementOf('fixed', at(1), { products }));
    expect(stateOf(statements, { product: 'pkg:generic/shop@1.1' })).toBe('fixed');
    expect(stateOf(statements, { product: 'pkg:generic/till@7' })).toBe('fixed');
    expect(stateOf(statements, { product: 'pkg:generic/shop@1.2' })).toBeNull();
  });

  it('given changes of the status, then the latest holds, in whatever order they come, and the list stays', () => {
    const statements = fromOpenVex(
      statementOf('fixed', at(3)),
      statementOf('under_investigation', at(1)),
      statementOf('affected', at(2)),
    );
    expect(stateOf(statements)).toBe('fixed');
    expect(stateOf(statements.slice(1))).toBe('affected');
    expect(statements).toHaveLength(3);
  });

  it('given two of one time, then the later in the list holds', () => {
    expect(stateOf(fromOpenVex(statementOf('affected', at(1)), statementOf('fixed', at(1))))).toBe('fixed');
  });

  it('given an alias, then it is the same vulnerability', () => {
    expect(stateOf(fromOpenVex(statementOf('fixed', at(1), { vulnerability: { name: 'GHSA-jfh8-c2jp-5v3q' } })))).toBe(
      'fixed',
    );
    const vulnerability = { name: 'X-1', aliases: ['CVE-2021-44228'] };
    expect(stateOf(fromOpenVex(statementOf('fixed', at(1), { vulnerability })))).toBe('fixed');
  });

  it('given subcomponents, then it holds for these', () => {
    const products = [{ '@id': PRODUCT, subcomponents: [{ '@id': 'pkg:maven/org.apache.logging.log4j/log4j-core' }] }];
    const statements = fromOpenVex(statementOf('not_affected', at(1), { products }));
    const ofShop = (component: string) => vexState(statements, { product: PRODUCT, component }, CVE)?.status ?? null;
    expect(ofShop(LOG4J)).toBe('not_affected');
    expect(ofShop('pkg:maven/org.apache.logging.log4j/log4j-api@2.14.1')).toBeNull();
    expect(ofShop('pkg:maven/other/log4j-core@2.14.1')).toBeNull();
  });

  it('given a statement of who makes a component, then it holds wherever that is', () => {
    const statements = fromOpenVex(statementOf('not_affected', at(1), { products: [{ '@id': LOG4J }] }));
    expect(vexState(statements, { product: PRODUCT, component: LOG4J }, CVE)?.by).toBe('Security of the shop');
  });

  it.each([
    ['its digest', (digest: string) => `sha256:${digest}`, true],
    ['an image with it', (digest: string) => `pkg:oci/shop@sha256:${digest}`, true],
    ['an image in a registry', (digest: string) => `pkg:oci/shop@sha256%3A${digest}?repository_url=r.test/shop`, true],
    ['another digest', () => `pkg:oci/shop@sha256:${'b'.repeat(64)}`, false],
    ['a name with it', (digest: string) => `pkg:npm/${digest}@1`, false],
  ])('given the digest of an artifact, then what is said of %s holds: %#', (_, idOf, holds) => {
    const digest = 'a'.repeat(64);
    const products = [{ '@id': idOf(digest), subcomponents: [{ '@id': LOG4J }] }];
    const all = unwrap(readOpenVex(openVex(statementOf('fixed', '2022-01-02T00:00:00Z', { products }))));
    const about = (component: string) => vexState(all, { product: digest, component }, CVE)?.status ?? null;
    expect(about(LOG4J)).toBe(holds ? 'fixed' : null);
    expect(about('pkg:npm/other@1')).toBeNull();
  });

  it('given a statement about the root of a bill of materials or a BOM-Link to it, then it holds for what is built of it', () => {
    const serial = '3e671687-395b-41f5-a30f-a58921a69b79';
    const roots = ['pkg:npm/shop@1.0', `urn:cdx:${serial}`];
    const artifact = { product: 'ab'.repeat(32), component: LOG4J, roots };
    const holds = (products: readonly object[], subject: Parameters<typeof vexState>[1] = artifact) =>
      vexState(fromOpenVex(statementOf('fixed', at(1), { products })), subject, CVE) !== null;
    const ids = ['pkg:npm/shop@1.0', 'pkg:npm/shop', `urn:cdx:${serial}/1`, `urn:cdx:${serial.toUpperCase()}/7`];
    expect(ids.map((id) => holds([{ '@id': id }]))).toEqual([true, true, true, true]);
    const others = [
      'pkg:npm/shop@2.0',
      'pkg:npm/other@1.0',
      `urn:cdx:${serial}/1#a`,
      'urn:cdx:0',
      `urn:cdx:${serial}x/1`,
    ];
    expect(others.map((id) => holds([{ '@id': id }]))).toEqual([false, false, false, false, false]);
    const subcomponents = [{ '@id': LOG4J }];
    expect(holds([{ '@id': 'pkg:npm/shop@1.0', subcomponents }])).toBe(true);
    expect(holds([{ '@id': 'pkg:npm/shop@1.0', subcomponents: [{ '@id': 'pkg:npm/a@1' }] }])).toBe(false);
    expect(holds([{ '@id': 'pkg:npm/shop@1.0' }], { ...artifact, roots: [] })).toBe(false);
  });
});
