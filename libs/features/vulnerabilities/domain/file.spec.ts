import { partsOf, readVulnerabilityFile } from './file';

const modified = '2024-01-01T00:00:00Z';
const entry = (id: string, fields: object = {}) => ({ id, modified, ...fields });
const read = (value: unknown, format: Parameters<typeof readVulnerabilityFile>[1] = null) =>
  readVulnerabilityFile(typeof value === 'string' ? value : JSON.stringify(value), format);
const ids = (value: unknown) => read(value).vulnerabilities.map(({ id }) => id);
const openVex = (products: number, fields: object = {}) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  author: 'Acme',
  timestamp: modified,
  statements: [
    {
      vulnerability: { name: 'CVE-1' },
      status: 'fixed',
      products: Array.from({ length: products }, (_, at) => ({ '@id': `pkg:npm/a@${at}` })),
      ...fields,
    },
  ],
});

describe('a file of vulnerabilities', () => {
  it('is one entry, an array of them, or one a line', () => {
    expect(ids(entry('A'))).toEqual(['A']);
    expect(ids(JSON.stringify(entry('A'), null, 2))).toEqual(['A']);
    expect(ids([entry('A'), entry('B')])).toEqual(['A', 'B']);
    expect(ids(`${JSON.stringify(entry('A'))}\r\n\n${JSON.stringify(entry('B'))}\n`)).toEqual(['A', 'B']);
  });

  it('detects the format of a file without a stated format', () => {
    expect(read(openVex(1)).statements).toMatchObject([{ vulnerability: 'CVE-1', status: 'fixed', by: 'Acme' }]);
    const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', vulnerabilities: [] };
    expect(read(bom)).toMatchObject({ vulnerabilities: [], statements: [], unread: 0 });
    expect(read(openVex(1), 'osv')).toMatchObject({
      unread: 1,
      refusals: [{ field: 'id', problem: 'Field required' }],
    });
  });

  it('becomes smaller statements where one is about many products', () => {
    expect(read(openVex(250)).statements.map(({ products }) => products.length)).toEqual([100, 100, 50]);
  });

  it('becomes smaller statements where a product has many subcomponents', () => {
    const subcomponents = Array.from({ length: 250 }, (_, at) => ({ '@id': `pkg:npm/b@${at}` }));
    const products = [{ '@id': 'pkg:npm/a@1', subcomponents }, { '@id': 'pkg:npm/c@1' }];
    const { statements, unread } = read(openVex(0, { products }));
    expect(unread).toBe(0);
    expect(
      statements.map((statement) => statement.products.map(({ id, subcomponents: own }) => [id, own.length])),
    ).toEqual([
      [['pkg:npm/a@1', 100]],
      [['pkg:npm/a@1', 100]],
      [
        ['pkg:npm/a@1', 50],
        ['pkg:npm/c@1', 0],
      ],
    ]);
    expect(statements.flatMap((statement) => statement.products.flatMap(({ subcomponents: own }) => own))).toHaveLength(
      250,
    );
  });

  it('has statements without products, and names of any length of who says it', () => {
    const { statements } = read({ ...openVex(0), author: 'a'.repeat(100_000) });
    expect(statements.map(({ products, by }) => [products, by?.length])).toEqual([[[], 2_048]]);
  });

  it.each([
    ['', '', 'Input should not be empty'],
    ['no json', '', 'Input should be JSON, or one JSON object a line'],
    ['{"id": "A",', '', 'Input should be JSON, or one JSON object a line'],
    ['['.repeat(1_000_000), '', 'Input should be nested at most 200 levels deep'],
    [`{"id": "\\"[${'['.repeat(300)}"}`, 'modified', 'Field required'],
    [
      entry('A', { affected: Array.from({ length: 201 }, () => ({ package: { ecosystem: 'npm', name: 'a' } })) }),
      'affected',
      'Input should have at most 200 items about one package',
    ],
    [
      openVex(1, { vulnerability: { name: 'A', aliases: Array.from({ length: 21 }, (_, at) => `B-${at}`) } }),
      'statements.0.aliases',
      'Input should have at most 20 names',
    ],
    [
      openVex(1, { vulnerability: { name: 'A'.repeat(257) } }),
      'statements.0.vulnerability',
      'Input should have at most 256 characters, and each alias',
    ],
    [
      openVex(1, { products: [{ identifiers: { purl: `pkg:npm/${'a'.repeat(5_000)}` } }] }),
      'statements.0.products',
      'Input should have at most 2048 characters each',
    ],
    [
      openVex(1, { products: Array.from({ length: 600 }, () => ({ '@id': 'a'.repeat(2_000) })) }),
      'statements.0',
      'Input should have at most 1048576 bytes: make several statements of it',
    ],
    ['[1]', '0', 'Input should be an object'],
    ['null', '', 'Input should be an object'],
    [`${JSON.stringify(entry('A'))}\n{`, 'lines.2', 'Input should be JSON'],
    [`${JSON.stringify(entry('A'))}\n{"id": "B"}`, 'lines.2.modified', 'Field required'],
    [[entry('A'), entry('B', { affected: 1 })], '1.affected', 'Input should be a list'],
    [
      entry('A', { aliases: Array.from({ length: 101 }, (_, at) => `B-${at}`) }),
      'aliases',
      'Input should have at most 100 names',
    ],
    [
      entry('A', {
        affected: [
          { package: { ecosystem: 'npm', name: 'a' }, versions: Array.from({ length: 5_001 }, (_, at) => `1.${at}`) },
        ],
      }),
      'affected.0.versions',
      'Input should have at most 5000 versions',
    ],
  ])('says what cannot be read and where: %#', (value, field, problem) => {
    const { unread, refusals } = read(value);
    expect({ unread, refusals }).toEqual({ unread: 1, refusals: [{ field, problem }] });
  });

  it.each([
    ['CSAF', { document: { category: 'csaf_vex', csaf_version: '2.0' } }],
    ['JSON of the NVD', { format: 'NVD_CVE', version: '2.0', vulnerabilities: [] }],
    ['a CVE record', { dataType: 'CVE_RECORD', dataVersion: '5.1' }],
    ['SPDX', { spdxVersion: 'SPDX-2.3' }],
  ])('names a format that is not read: %s', (name, document) => {
    const [refusal] = read(document).refusals;
    expect(refusal?.problem).toMatch(`It is ${name}, which is not read. What is read: OSV, OpenVEX`);
  });

  it('names XML', () => {
    const { unread, refusals } = read('<?xml version="1.0"?><bom/>');
    expect([unread, refusals[0]?.problem]).toEqual([
      1,
      'Input should be JSON, and is XML. What is read: OSV, OpenVEX, CycloneDX in JSON',
    ]);
  });

  it('reads what tools put around a document, and statements about their subject', () => {
    const digest = 'ab'.repeat(32);
    const statement = {
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://openvex.dev/ns/v0.2.0',
      subject: [{ name: 'web', digest: { sha256: digest } }],
      predicate: openVex(0),
    };
    const payload = Buffer.from(JSON.stringify(statement)).toString('base64');
    const dsse = { payloadType: 'application/vnd.in-toto+json', payload, signatures: [] };
    for (const document of [statement, dsse, { mediaType: 'x', dsseEnvelope: dsse }]) {
      expect(read(document).statements).toMatchObject([{ products: [{ id: `sha256:${digest}` }] }]);
    }
    const deep = Buffer.from('['.repeat(100_000)).toString('base64');
    for (const broken of ['%', deep]) {
      expect(read({ payloadType: 'x', payload: broken })).toMatchObject({ statements: [], unread: 1 });
    }
  });

  it('takes the zero time for an unknown one', () => {
    const [first] = read(entry('A', { modified: '0001-01-01T00:00:00Z', published: modified })).vulnerabilities;
    expect(first).toMatchObject({ modified: Date.parse(modified), published: Date.parse(modified) });
    const [second] = read(entry('A', { modified: '0001-01-01T00:00:00Z' })).vulnerabilities;
    expect(second).toMatchObject({ modified: 0, published: null });
  });

  it('counts entries of ecosystems with which no component is compared', () => {
    const of = (id: string, ...ecosystems: readonly string[]) =>
      entry(id, { affected: ecosystems.map((ecosystem) => ({ package: { ecosystem, name: 'a' }, versions: ['1'] })) });
    const entries = [
      of('A', 'Linux', 'Linux', 'npm'),
      of('B', 'Linux', 'Oracle:9'),
      of('C', 'Azure Linux:3'),
      entry('D'),
    ];
    expect(read(entries).unknownEcosystems).toEqual([
      { name: 'Linux', entries: 2 },
      { name: 'Oracle', entries: 1 },
    ]);
    const many = read(Array.from({ length: 300 }, (_, i) => of(`E-${i}`, `x-${i}`)));
    expect(many.unknownEcosystems).toHaveLength(100);
  });

  it('counts the unreadable entries, and describes the first', () => {
    const file = read([entry('A'), ...Array.from({ length: 30 }, () => ({ id: 'B' }))]);
    expect([file.vulnerabilities.length, file.unread, file.refusals.length]).toEqual([1, 30, 10]);
  });

  it('keeps texts well-formed', () => {
    expect(read(`{"id": "A", "modified": "${modified}", "summary": "\\ud800"}`).vulnerabilities).toMatchObject([
      { summary: '\ufffd' },
    ]);
  });
});

describe('parts of a file', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `A-${String(at).padStart(5, '0')}` }));
  const parts = (items: readonly { readonly id: string }[]) => partsOf(items, ({ id }) => id);

  it('hold every item in the order of names, whatever the order of the file', () => {
    expect(parts(many(2_000)).flat()).toEqual(many(2_000));
    expect(parts(many(2_000).reverse())).toEqual(parts(many(2_000)));
    expect(parts([])).toEqual([]);
  });

  it('are mostly shared by files that differ in one entry', () => {
    const before = new Set(parts(many(2_000)).map((part) => JSON.stringify(part)));
    const after = parts(many(2_000).filter((_, at) => at !== 77)).map((part) => JSON.stringify(part));
    expect(before.size).toBeGreaterThan(20);
    expect(after.filter((part) => !before.has(part)).length).toBeLessThanOrEqual(2);
  });
});
