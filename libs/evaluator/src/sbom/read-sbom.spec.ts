import { gzipSync } from 'node:zlib';
import { readSbom } from './read-sbom';
import { COMPONENTS_MAX, DEPTH_MAX, TEXT_MAX } from './sbom';

const SHA = 'ab'.repeat(32);
const read = (text: string) => readSbom(Buffer.from(text));
const subject = { name: 'acme/shop', version: '1.4', purl: 'pkg:npm/%40acme/shop@1.4', sha256: SHA };
const [tea, cup, rim] = [
  { id: 'c1', name: 'tea', version: '1.0', purl: 'pkg:npm/tea@1.0', sha256: SHA },
  { id: 'c2', name: 'cup', version: null, purl: null, sha256: null },
  { id: null, name: 'rim', version: '2', purl: null, sha256: null, isOther: true as const },
];

const complete = { unread: 0, problems: [] };

const hashes = [
  { alg: 'SHA-1', content: 'cd'.repeat(20) },
  { alg: 'SHA-256', content: SHA.toUpperCase() },
];
const cycloneDx = (specVersion: string, tools: unknown) => ({
  components: [
    { type: 'library', 'bom-ref': 'c1', name: 'tea', version: '1.0', purl: 'pkg:npm/tea@1.0', hashes },
    { type: 'library', 'bom-ref': 'c2', name: 'cup', components: [{ type: 'file', name: 'rim', version: '2' }] },
  ],
  dependencies: [{ ref: 'c1', dependsOn: ['c2'] }],
  vulnerabilities: [{ id: 'CVE-1', ratings: [{ score: 9.8 }], affects: [] }],
  bomFormat: 'CycloneDX',
  specVersion,
  metadata: {
    timestamp: '2026-10-01T12:00:00Z',
    tools,
    component: { type: 'application', group: 'acme', name: 'shop', version: '1.4', purl: subject.purl, hashes },
  },
});
const oldTools = [{ vendor: 'anchore', name: 'syft', version: '1.2' }];
const newTools = { components: [{ type: 'application', name: 'syft', version: '1.2' }] };

const cycloneDxXml = (version: string, prefix = '') => {
  const p = prefix === '' ? '' : `${prefix}:`;
  const hash = `<${p}hashes><${p}hash alg="SHA-1">${'cd'.repeat(20)}</${p}hash><${p}hash alg="SHA-256">${SHA}</${p}hash></${p}hashes>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<${p}bom xmlns${prefix === '' ? '' : `:${prefix}`}="http://cyclonedx.org/schema/bom/${version}" xmlns:v="urn:other" version="1">
  <${p}metadata>
    <${p}timestamp>2026-10-01T12:00:00Z</${p}timestamp>
    <${p}tools><${p}tool><${p}vendor>anchore</${p}vendor><${p}name>syft</${p}name><${p}version>1.2</${p}version></${p}tool></${p}tools>
    <${p}component type="application"><${p}group>acme</${p}group><${p}name>shop</${p}name><${p}version>1.4</${p}version>${hash}<${p}purl>${subject.purl}</${p}purl></${p}component>
  </${p}metadata>
  <${p}components>
    <${p}component type="library" bom-ref="c1"><${p}name>t<![CDATA[e]]>&#97;</${p}name><${p}version>1.0</${p}version>${hash}<${p}purl>pkg:npm/tea@1.0</${p}purl>
      <${p}properties><${p}property name="name">other</${p}property></${p}properties></${p}component>
    <${p}component type="library" bom-ref="c2"><${p}name>cup</${p}name><v:components><v:component><v:name>foreign</v:name></v:component></v:components>
      <${p}components><${p}component type="file"><${p}name>rim</${p}name><${p}version>2</${p}version></${p}component></${p}components></${p}component>
  </${p}components>
</${p}bom>`;
};

describe('CycloneDX', () => {
  const components = [tea, rim, cup];

  it.each(['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'])('%s is read in JSON', (version) => {
    const format = `cyclonedx-${version}`;
    const tools = ['anchore syft 1.2'];
    const value = { format, createdAt: '2026-10-01T12:00:00Z', tools, subject, components, ...complete };
    expect(read(JSON.stringify(cycloneDx(version, oldTools)))).toEqual({ ok: true, value });
    const newer = read(JSON.stringify(cycloneDx(version, newTools), null, 2));
    expect(newer).toEqual({ ok: true, value: { ...value, tools: ['syft 1.2'] } });
  });

  it.each(['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'])('%s is read in XML, with and without a prefix', (version) => {
    const format = `cyclonedx-${version}`;
    const value = {
      format,
      createdAt: '2026-10-01T12:00:00Z',
      tools: ['anchore syft 1.2'],
      subject,
      components,
      ...complete,
    };
    expect(read(cycloneDxXml(version))).toEqual({ ok: true, value });
    expect(read(`\ufeff${cycloneDxXml(version, 'cdx')}`)).toEqual({ ok: true, value });
  });

  it('is read without packages, tools and subject', () => {
    const value = { format: 'cyclonedx-1.6', createdAt: null, tools: null, subject: null, components: [], ...complete };
    expect(read('{"bomFormat":"CycloneDX","specVersion":"1.6"}')).toEqual({ ok: true, value });
    expect(read('<bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>')).toEqual({ ok: true, value });
  });
});

const spdx2 = (version: string) => ({
  spdxVersion: `SPDX-${version}`,
  SPDXID: 'SPDXRef-DOCUMENT',
  creationInfo: { created: '2026-10-01T12:00:00Z', creators: ['Organization: Acme', 'Tool: syft-1.2'] },
  packages: [
    {
      SPDXID: 'c1',
      name: 'tea',
      versionInfo: '1.0',
      downloadLocation: 'NOASSERTION',
      externalRefs: [
        { referenceCategory: 'SECURITY', referenceType: 'cpe23Type', referenceLocator: 'cpe:2.3:a:tea' },
        { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: 'pkg:npm/tea@1.0' },
      ],
      checksums: [{ algorithm: 'SHA256', checksumValue: SHA }],
    },
    { SPDXID: 'c2', name: 'cup' },
  ],
});
const DESCRIBED = { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: 'c1' };
const DESCRIBED_BY = { spdxElementId: 'c1', relationshipType: 'DESCRIBED_BY', relatedSpdxElement: 'SPDXRef-DOCUMENT' };
const tagValue = (version: string) => `SPDXVersion: SPDX-${version}
# a comment
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: shop
Creator: Organization: Acme
Creator: Tool: syft-1.2
Created: 2026-10-01T12:00:00Z
DocumentComment: <text>of
PackageName: no package
</text>

PackageName: tea
SPDXID: c1
PackageVersion: 1.0
PackageChecksum: SHA256: ${SHA}
ExternalRef: SECURITY cpe23Type cpe:2.3:a:tea
ExternalRef: PACKAGE-MANAGER purl pkg:npm/tea@1.0
PackageComment: <text>one line</text>

PackageName: cup
SPDXID: c2
FileName: ./cup.js
SPDXID: SPDXRef-File
Relationship: SPDXRef-DOCUMENT DESCRIBES c1
`;

describe('SPDX', () => {
  const { id: _, ...described } = tea;
  const head = { createdAt: '2026-10-01T12:00:00Z', tools: ['syft-1.2'] };
  const components = [{ ...tea, isOther: true }, cup];
  const valueOf = (version: string) => ({
    format: `spdx-${version}`,
    ...head,
    subject: described,
    components,
    ...complete,
  });

  it.each(['2.2', '2.3'])('%s is read in JSON', (version) => {
    const value = valueOf(version);
    const document = spdx2(version);
    expect(read(JSON.stringify({ ...document, documentDescribes: ['c1'] }))).toEqual({ ok: true, value });
    expect(read(JSON.stringify({ ...document, relationships: [DESCRIBED] }))).toEqual({ ok: true, value });
    expect(read(JSON.stringify({ ...document, relationships: [DESCRIBED_BY] }))).toEqual({ ok: true, value });
    expect(read(JSON.stringify(document))).toEqual({
      ok: true,
      value: { ...value, subject: null, components: [tea, cup] },
    });
  });

  it.each(['2.2', '2.3'])('%s is read in tags and values, with both ends of lines', (version) => {
    const value = valueOf(version);
    expect(read(tagValue(version))).toEqual({ ok: true, value });
    expect(read(tagValue(version).replaceAll('\n', '\r\n'))).toEqual({ ok: true, value });
  });

  it.each(['3.0.0', '3.0.1'])('%s is read in JSON', (specVersion) => {
    const hash = { type: 'Hash', algorithm: 'sha256', hashValue: SHA };
    const purl = { type: 'ExternalIdentifier', externalIdentifierType: 'packageUrl', identifier: 'pkg:npm/tea@1.0' };
    const graph = [
      { type: 'CreationInfo', '@id': '_:b', specVersion, created: head.createdAt, createdUsing: ['t'] },
      { type: 'Tool', spdxId: 't', name: 'syft-1.2', creationInfo: '_:b' },
      { type: 'SpdxDocument', spdxId: 'd', rootElement: ['s'] },
      { type: 'software_Sbom', spdxId: 's', rootElement: ['c1'], element: ['c1', 'c2'] },
      {
        type: 'software_Package',
        spdxId: 'c1',
        name: 'tea',
        software_packageVersion: '1.0',
        verifiedUsing: [hash],
        externalIdentifier: [purl],
      },
      { type: 'software_Package', spdxId: 'c2', name: 'cup' },
    ];
    const text = JSON.stringify({ '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': graph });
    const value = {
      format: 'spdx-3.0',
      ...head,
      subject: described,
      components: [{ ...tea, isOther: true }, cup],
      ...complete,
    };
    expect(read(text)).toEqual({ ok: true, value });
  });
});

describe('licences of packages', () => {
  const licencesIn = (text: string) => {
    const sbom = read(text);
    return sbom.ok ? sbom.value.components.map(({ licences }) => licences) : sbom;
  };

  it('are read of CycloneDX in JSON and in XML: an identifier, a name, an expression', () => {
    const licenses = [
      { license: { id: 'MIT', url: 'https://spdx.org/licenses/MIT' } },
      { license: { name: 'Our own' } },
      { expression: 'MIT OR 0BSD' },
    ];
    const components = [{ name: 'tea', licenses }, { name: 'cup' }];
    const expected = [['MIT', 'Our own', 'MIT OR 0BSD'], undefined];
    expect(licencesIn(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components }))).toEqual(expected);
    const inXml = `<licenses><license><id>MIT</id><text>id</text></license><license><name>Our own</name></license><expression>MIT OR 0BSD</expression></licenses>`;
    const xml = `<components><component><name>tea</name>${inXml}</component><component><name>cup</name></component></components>`;
    expect(licencesIn(`<bom xmlns="http://cyclonedx.org/schema/bom/1.6">${xml}</bom>`)).toEqual(expected);
  });

  it('are read from SPDX 2 in JSON and in tags and values, without the values for unknown', () => {
    const packages = [
      { name: 'tea', licenseConcluded: 'NOASSERTION', licenseDeclared: 'Apache-2.0' },
      { name: 'cup', licenseConcluded: 'NONE' },
    ];
    const expected = [['Apache-2.0'], undefined];
    expect(licencesIn(JSON.stringify({ spdxVersion: 'SPDX-2.3', packages }))).toEqual(expected);
    const tags = 'PackageName: tea\nPackageLicenseConcluded: NOASSERTION\nPackageLicenseDeclared: Apache-2.0';
    expect(licencesIn(`SPDXVersion: SPDX-2.3\n${tags}\nPackageName: cup\n`)).toEqual(expected);
  });
});

describe('a file that is no bill of materials', () => {
  const bom = (rest: string) => `{"bomFormat":"CycloneDX","specVersion":"1.6",${rest}}`;
  const xml = (rest: string, before = '') => `${before}<bom xmlns="http://cyclonedx.org/schema/bom/1.6">${rest}</bom>`;
  const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);

  it.each([
    ['nothing', '', 'it is empty'],
    ['white space', ' \n', 'it is empty'],
    ['a text', 'hello', 'known format'],
    ['a list', '[]', 'known format'],
    ['an archive', '\u001f\u008b', 'known format'],
    ['other JSON', '{"a":1}', 'JSON of another kind'],
    ['other XML', '<project/>', 'its root is <project>'],
    ['a foreign namespace', '<bom xmlns="urn:bom"/>', 'its root is <bom>'],
    ['an old version', '{"bomFormat":"CycloneDX","specVersion":"1.1"}', '1.2 to 1.7'],
    ['a version to come', '<bom xmlns="http://cyclonedx.org/schema/bom/2.0"/>', '1.2 to 1.7'],
    ['an old SPDX', '{"spdxVersion":"SPDX-2.1"}', '2.2, 2.3 and 3.0'],
    [
      'an SPDX to come',
      '{"@context":"https://spdx.org/rdf/4.0/x","@graph":[{"type":"CreationInfo","specVersion":"4.0"}]}',
      '3.0',
    ],
    ['an SPDX without a graph', '{"@context":"https://spdx.org/rdf/3.0.1/x"}', 'no element'],
    ['JSON that ends early', '{"bomFormat":"CycloneDX"', 'not valid JSON'],
    ['JSON with more behind it', '{} {}', 'text follows'],
    ['a comma too many', bom('"components":[{"name":"a"},]'), 'not valid JSON'],
    ['a missing colon', bom('"x" 1'), 'a colon is missing'],
    ['a bad number', bom('"x":01'), 'a value is missing or unknown'],
    ['a bad literal', bom('"x":nul'), 'not valid JSON'],
    ['a line feed in a text', bom('"x":"\n"'), 'control character'],
    ['a bad escape', bom('"components":[{"name":"\\x"}]'), 'escape'],
    ['XML that ends early', '<bom xmlns="http://cyclonedx.org/schema/bom/1.6">', 'not valid XML'],
    ['XML with crossed ends', xml('<a><b></a></b>'), 'not valid XML'],
    ['two roots', xml('') + xml(''), 'not valid XML'],
    ['a document type', xml('', '<!DOCTYPE bom [<!ENTITY a "b">]>'), 'document type'],
    ['an entity of its own', xml('<components><component><name>&a;</name></component></components>'), 'not valid XML'],
    ['a line without a tag', 'SPDXVersion: SPDX-2.3\nhello', 'line 2 is no tag'],
    ['a text without an end', 'SPDXVersion: SPDX-2.3\nDocumentComment: <text>a\n', '<text> does not end'],
    ['another first tag', 'DataLicense: CC0-1.0\nSPDXVersion: SPDX-2.3', 'does not begin with SPDXVersion'],
    [
      'JSON as deep as it goes',
      bom(`"x":${deep('[', ']', 100_000)}`),
      `deeper than ${DEPTH_MAX} levels, which is the limit. List`,
    ],
    ['deep objects', deep('{"a":', '}', 100_000), `deeper than ${DEPTH_MAX} levels, which is the limit. List`],
    [
      'deep packages',
      bom(deep('"components":[{"name":"a",', '}]', 100_000)),
      `deeper than ${DEPTH_MAX} levels, which is the limit. List`,
    ],
    ['deep XML', xml(deep('<a>', '</a>', 100_000)), `deeper than ${DEPTH_MAX} levels, which is the limit. List`],
    [
      'a million packages',
      bom(`"components":[${'{"name":"a"},'.repeat(999_999)}{"name":"a"}]`),
      `more than ${COMPONENTS_MAX} packages, which is the limit. Divide it`,
    ],
    [
      'a million packages in XML',
      xml(`<components>${'<component><name>a</name></component>'.repeat(400_000)}</components>`),
      `more than ${COMPONENTS_MAX} packages, which is the limit. Divide it`,
    ],
  ])('%s', (_, text, reason) => {
    expect(read(text)).toEqual({ ok: false, refusal: expect.stringContaining(reason) as string });
  });

  it('is no text', () => {
    const broken = Buffer.from([0x7b, 0xff, 0xff]);
    expect(readSbom(broken)).toMatchObject({
      ok: false,
      refusal: expect.stringContaining('UTF-8 or UTF-16') as string,
    });
    const packed = readSbom(Buffer.concat([gzipSync('{}').subarray(0, 12)]));
    expect(packed).toMatchObject({ ok: false, refusal: expect.stringContaining('unpacked') as string });
    const bomb = readSbom(gzipSync(Buffer.alloc(65 * 1024 * 1024, 0x20)));
    expect(bomb).toMatchObject({ ok: false, refusal: expect.stringContaining('more than 67108864 bytes') as string });
  });

  it('is an envelope around nothing, or around itself too often', () => {
    let text = JSON.stringify({ payloadType: 'application/vnd.in-toto+json', payload: '' });
    for (let depth = 0; depth < 10; depth += 1) {
      text = JSON.stringify({ payloadType: 'x', payload: Buffer.from(text).toString('base64') });
      expect(read(text)).toMatchObject({ ok: false });
    }
  });
});

describe('what tools put around a bill of materials', () => {
  const document = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ name: 'tea', version: '1.0' }] };
  const spdx = { spdxVersion: 'SPDX-2.3', packages: [{ name: 'tea', versionInfo: '1.0' }] };
  const statement = (predicate: object) => ({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'web', digest: { sha256: SHA } }],
    predicateType: 'https://cyclonedx.org/bom',
    predicate,
  });
  const dsse = (value: object) => ({
    payloadType: 'application/vnd.in-toto+json',
    payload: Buffer.from(JSON.stringify(value)).toString('base64'),
    signatures: [{ sig: 'x' }],
  });
  const bundle = (value: object) => ({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: {},
    dsseEnvelope: dsse(value),
  });

  it.each<[string, object]>([
    ["GitHub's export", { sbom: spdx }],
    ['an attestation of BuildKit', { SPDX: spdx }],
    ['an in-toto statement', statement(document)],
    ['an in-toto statement with data', statement({ Data: spdx, Timestamp: '' })],
    ['a DSSE envelope', dsse(statement(document))],
    ['a Sigstore bundle', bundle(statement(spdx))],
  ])('is taken off: %s', (_, value) => {
    const sbom = read(JSON.stringify(value));
    expect(sbom).toMatchObject({ ok: true, value: { components: [{ name: 'tea', version: '1.0' }] } });
    const [subject] = [sbom.ok ? sbom.value.subject : null];
    expect(subject).toEqual(
      'sbom' in value || 'SPDX' in value ? null : { name: 'web', version: null, purl: null, sha256: SHA },
    );
  });

  it('is taken off in UTF-16 and gzip too', () => {
    const text = JSON.stringify(document);
    const expected = read(text);
    expect(expected.ok).toBe(true);
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(readSbom(little)).toEqual(expected);
    expect(readSbom(Buffer.from(little).swap16())).toEqual(expected);
    expect(readSbom(gzipSync(text))).toEqual(expected);
    expect(readSbom(gzipSync(little))).toEqual(expected);
    const xml = Buffer.from(`\ufeff${cycloneDxXml('1.6')}`, 'utf16le');
    expect(readSbom(xml)).toEqual(read(cycloneDxXml('1.6')));
  });

  it('leaves a large document bounded', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({
      name: `lib-${i}`,
      version: '1',
      purl: `pkg:npm/lib-${i}@1`,
    }));
    const large = read(JSON.stringify(bundle(statement({ ...document, components: many }))));
    expect(large.ok && large.value.components).toHaveLength(20_000);
  });
});

describe('one package that cannot be read', () => {
  const nameless = [{ name: 'a' }, { name: '', version: '1' }, { purl: 'pkg:npm/b@1' }, { name: 4 }];

  it('is counted and named, and the others are read', () => {
    const json = read(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components: nameless }));
    expect(json).toMatchObject({
      ok: true,
      value: {
        components: [{ name: 'a' }, { name: 'b', purl: 'pkg:npm/b@1' }],
        unread: 2,
        problems: ['package 2 has no name', 'package 4 has no name'],
      },
    });
    const component = '<component><name></name></component>';
    const xml = `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><components>${component.repeat(30)}</components></bom>`;
    const counted = read(xml);
    expect(counted).toMatchObject({ ok: true, value: { components: [], unread: 30 } });
    expect(counted.ok && counted.value.problems).toHaveLength(10);
  });
});

it('has the serial number of CycloneDX, to which other documents refer', () => {
  const uuid = '3e671687-395b-41f5-a30f-a58921a69b79';
  const serialNumber = `urn:uuid:${uuid.toUpperCase()}`;
  const json = (serial: unknown) =>
    read(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serial }));
  expect(json(serialNumber)).toMatchObject({ value: { serial: uuid } });
  expect(read(`<bom xmlns="http://cyclonedx.org/schema/bom/1.6" serialNumber="${serialNumber}"/>`)).toMatchObject({
    value: { serial: uuid },
  });
  for (const other of ['urn:uuid:1', 7, null]) expect(json(other)).not.toHaveProperty('value.serial');
});

describe('the source package and the package URLs', () => {
  const purl = 'pkg:deb/debian/libssl3@3.0.11-1~deb12u1?distro=debian-12.4';
  const properties = [
    { name: 'aquasecurity:trivy:SrcName', value: 'openssl' },
    { name: 'aquasecurity:trivy:SrcVersion', value: '3.0.11' },
    { name: 'aquasecurity:trivy:SrcRelease', value: '1~deb12u1' },
    { name: 'aquasecurity:trivy:SrcEpoch', value: '1' },
  ];
  const source = 'openssl@1:3.0.11-1~deb12u1';

  it('are those that Trivy writes, in each format', () => {
    const json = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ name: 'libssl3', purl, properties }] };
    expect(read(JSON.stringify(json))).toMatchObject({ value: { components: [{ source }] } });
    const own = properties.map(({ name, value }) => `<property name="${name}">${value}</property>`).join('');
    const component = `<component type="library"><name>libssl3</name><properties>${own}</properties></component>`;
    const xml = `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><components>${component}</components></bom>`;
    expect(read(xml)).toMatchObject({ value: { components: [{ source }] } });
    const sourceInfo = 'built package from: openssl 1:3.0.11-1~deb12u1';
    const spdx = { spdxVersion: 'SPDX-2.3', packages: [{ name: 'libssl3', sourceInfo }] };
    expect(read(JSON.stringify(spdx))).toMatchObject({ value: { components: [{ source }] } });
    const tags = `SPDXVersion: SPDX-2.3\nPackageName: libssl3\nPackageSourceInfo: <text>${sourceInfo}</text>\n`;
    expect(read(tags)).toMatchObject({ value: { components: [{ source }] } });
  });

  it.each(['purl', 'PURL', 'http://spdx.org/rdf/references/purl'])(
    'of SPDX have the type %s, and the first good one counts',
    (referenceType) => {
      const references = ['pkg:npm/', ' pkg:npm/tea@1.0 ', 'pkg:npm/cup@1.0'];
      const externalRefs = references.map((referenceLocator) => ({ referenceType, referenceLocator }));
      const document = { spdxVersion: 'SPDX-2.3', packages: [{ name: 'tea', externalRefs }] };
      expect(read(JSON.stringify(document))).toMatchObject({ value: { components: [{ purl: 'pkg:npm/tea@1.0' }] } });
      const refs = references.map((one) => `ExternalRef: PACKAGE-MANAGER ${referenceType} ${one.trim()}`).join('\n');
      expect(read(`SPDXVersion: SPDX-2.3\nPackageName: tea\n${refs}\n`)).toMatchObject({
        value: { components: [{ purl: 'pkg:npm/tea@1.0' }] },
      });
    },
  );
});

describe('CycloneDX in XML', () => {
  const other = (name: string) =>
    `<component type="library"><group>org.b</group><name>${name}</name><version>1.60</version><purl>pkg:maven/org.b/${name}@1.60</purl><licenses><license><id>MIT</id></license></licenses><hashes><hash alg="SHA-256">${SHA}</hash></hashes></component>`;

  it('has the components that JSON has, and not those of pedigrees, evidence, formulations and services', () => {
    const pedigree = `<pedigree><ancestors>${other('ancestor')}</ancestors><variants><component type="library"><name>v</name></component></variants></pedigree>`;
    const evidence = `<evidence><licenses><license><id>GPL-3.0</id></license></licenses><identity><methods/><tools/></identity></evidence>`;
    const nested = `<components><component type="library"><name>inner</name></component></components>`;
    const fork = `<component type="library">${pedigree}${evidence}<name>cryptofork</name><version>9</version>${nested}</component>`;
    const formulation = `<formulation><formula><components>${other('builder')}</components></formula></formulation>`;
    const annotations = `<annotations><annotation><annotator>${other('annotator')}</annotator><timestamp>2020</timestamp></annotation></annotations>`;
    const sbom = read(
      `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><metadata><manufacture><name>x</name></manufacture></metadata><components>${fork}</components>${formulation}${annotations}</bom>`,
    );
    const texts = { id: null, purl: null, sha256: null };
    expect(sbom).toMatchObject({
      ok: true,
      value: {
        createdAt: null,
        subject: null,
        components: [
          { ...texts, name: 'inner', version: null },
          { ...texts, name: 'cryptofork', version: '9' },
        ],
      },
    });
    expect(sbom.ok && sbom.value.components.map(({ licences }) => licences)).toEqual([undefined, undefined]);
  });
});

it('keeps the beginning of long texts, and never a prototype', () => {
  const text = `{"bomFormat":"CycloneDX","specVersion":"1.6","__proto__":{"metadata":{}},"components":[{"name":"${'n'.repeat(100_000)}","__proto__":1}]}`;
  expect(read(text)).toMatchObject({ ok: true, value: { components: [{ name: 'n'.repeat(TEXT_MAX) }] } });
  expect(Object.hasOwn(Object.prototype, 'metadata')).toBe(false);
});
