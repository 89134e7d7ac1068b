import { gzipSync } from 'node:zlib';
import { tarOf } from '@assurance/kernel/tar/write';
import { mayHoldReport, SCAN_BYTES_MAX } from './attached';
import { readScans } from './read-scans';

const CVE = 'CVE-2024-10001';
const trivy = {
  SchemaVersion: 2,
  CreatedAt: '2024-03-01T10:00:00Z',
  ArtifactName: 'shop/web:1.4',
  ArtifactType: 'container_image',
  Results: [
    {
      Target: 'package-lock.json',
      Class: 'lang-pkgs',
      Type: 'npm',
      Vulnerabilities: [
        {
          VulnerabilityID: CVE,
          PkgName: 'left',
          InstalledVersion: '1.0.0',
          FixedVersion: '1.0.1, 2.0.0',
          Severity: 'HIGH',
          Title: 'A fault',
          PkgIdentifier: { PURL: 'pkg:npm/left@1.0.0' },
          PublishedDate: '2024-02-01T00:00:00Z',
        },
      ],
    },
  ],
};
const grype = {
  matches: [
    {
      vulnerability: {
        id: 'GHSA-aaaa-bbbb-cccc',
        severity: 'Critical',
        description: 'Another fault',
        fix: { versions: ['3.1.0'], state: 'fixed' },
      },
      relatedVulnerabilities: [{ id: 'CVE-2024-10002' }],
      artifact: { name: 'right', version: '3.0.0', type: 'npm', purl: 'pkg:npm/right@3.0.0' },
    },
  ],
  source: { type: 'image', target: { userInput: 'shop/web:1.4' } },
  descriptor: { name: 'grype', version: '0.90.0' },
};
const sarif = {
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: { name: 'Snyk Open Source', rules: [{ id: 'SNYK-JS-LEFT-1', properties: { tags: ['security'] } }] },
      },
      results: [{ ruleId: 'SNYK-JS-LEFT-1', level: 'error', message: { text: 'A vulnerable package' } }],
    },
  ],
};

const bytes = (content: string | Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(content));
const file = (filename: string, content: unknown) => ({
  filename,
  content: bytes(Buffer.isBuffer(content) || typeof content === 'string' ? content : JSON.stringify(content)),
});
async function tar(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const entries = Object.entries(files).map(([path, text]) => ({
    path,
    size: Buffer.byteLength(text),
    content: [Buffer.from(text)],
  }));
  const pieces: Uint8Array[] = [];
  for await (const piece of tarOf(entries, 0)) pieces.push(piece);
  return Buffer.concat(pieces);
}
/** A report in UTF-16 with its mark, low byte first, as PowerShell writes it. */
function utf16(report: unknown): Buffer {
  return Buffer.from(`\ufeff${typeof report === 'string' ? report : JSON.stringify(report)}`, 'utf16le');
}
const read = (format: string, own: string, tool: string) => ({
  file: own,
  format,
  tool,
  findings: 1,
  unread: 0,
  problem: null,
});
const unread = (own: string, format: string | null, problem: string) => ({
  file: own,
  format,
  tool: '',
  findings: 0,
  unread: 1,
  problem,
});

describe('reports of scanners in files', () => {
  it('are recognized by their content, not by their names, and all count', async () => {
    const files = [
      file('a.txt', trivy),
      file('b', ` \n${JSON.stringify(grype)}`),
      file('c', `\ufeff${JSON.stringify(sarif)}`),
    ];
    const scans = await readScans(null, files);
    expect(scans).toMatchObject({ tool: 'Trivy, grype 0.90.0, Snyk Open Source', left: 0 });
    expect(scans?.reports).toEqual([
      read('trivy', 'a.txt', 'Trivy'),
      read('grype', 'b', 'grype 0.90.0'),
      read('sarif', 'c', 'Snyk Open Source'),
    ]);
    const findings = (scans?.parts ?? []).flatMap((part) => JSON.parse(part) as unknown[]);
    expect(findings).toEqual([
      {
        id: CVE,
        aliases: [],
        severity: 'high',
        title: 'A fault',
        published: Date.UTC(2024, 1, 1),
        package: { name: 'left', version: '1.0.0', purl: 'pkg:npm/left@1.0.0' },
        fixedIn: ['1.0.1', '2.0.0'],
      },
      {
        id: 'GHSA-aaaa-bbbb-cccc',
        aliases: ['CVE-2024-10002'],
        severity: 'critical',
        title: 'Another fault',
        published: null,
        fixedIn: ['3.1.0'],
        package: { name: 'right', version: '3.0.0', purl: 'pkg:npm/right@3.0.0' },
      },
      {
        id: 'SNYK-JS-LEFT-1',
        aliases: [],
        severity: 'high',
        title: 'A vulnerable package',
        published: null,
        package: null,
        fixedIn: [],
      },
    ]);
  });

  it('may be in UTF-16 in either order of bytes, also packed, and say the same', async () => {
    const title = 'A fault: \u00e4 \u4e2d \ud83d\ude00';
    const withTitle = JSON.stringify(trivy).replace('A fault', title);
    // More than a piece that is decoded at once: characters of two units lie across the pieces.
    const long = JSON.stringify({ ...sarif, note: `a${'\ud83d\ude00'.repeat(300_000)}` });
    const packed = await tar({ 'a.json': utf16(withTitle) });
    const [plain, ...others] = await Promise.all(
      [
        Buffer.from(withTitle),
        utf16(` \r\n${withTitle}`),
        utf16(withTitle).swap16(),
        gzipSync(utf16(withTitle)),
        packed,
      ].map((content) => readScans(null, [file('a', content)])),
    );
    expect(plain?.parts.join()).toContain(title);
    for (const scan of others) expect(scan?.parts).toEqual(plain?.parts);
    const scans = await readScans(null, [file('a', utf16(long)), file('b', utf16(grype).swap16())]);
    expect(scans?.reports).toEqual([read('sarif', 'a', 'Snyk Open Source'), read('grype', 'b', 'grype 0.90.0')]);
    expect(await readScans(null, [file('a', utf16('{"coverage": 81}')), file('b', utf16('SchemaVersion'))])).toBeNull();
  });

  it('are taken out of what tools put around them, up to the limit of values', async () => {
    const statement = { predicateType: 'https://cosign.sigstore.dev/attestation/vuln/v1', predicate: trivy };
    const payload = (text: string) => Buffer.from(text).toString('base64');
    const dsse = { payloadType: 'application/vnd.in-toto+json', payload: payload(JSON.stringify(statement)) };
    for (const report of [statement, dsse, { mediaType: 'x', dsseEnvelope: dsse }]) {
      expect((await readScans(null, [file('a.json', report)]))?.reports).toEqual([read('trivy', 'a.json', 'Trivy')]);
    }
    const many = { ...dsse, payload: payload(`{"SchemaVersion":2,"Results":[${'0,'.repeat(2_000_000)}0]}`) };
    expect(await readScans(null, [file('a.json', many), file('b.json', { ...dsse, payload: '%' })])).toBeNull();
  });

  it('count beside one in the data of the attestation, each finding once', async () => {
    const scans = await readScans(JSON.stringify(trivy), [file('a', trivy)]);
    expect(scans?.reports.map((report) => report.file)).toEqual([null, 'a']);
    expect((scans?.parts ?? []).flatMap((part) => JSON.parse(part) as unknown[])).toHaveLength(1);
  });

  it('are found in archives, beside other files', async () => {
    const packed = await tar({ 'out/trivy.json': JSON.stringify(trivy), 'out/log.txt': 'no report', 'run.json': '{}' });
    for (const [name, content] of Object.entries({ 'a.tar': packed, 'a.tgz': gzipSync(packed) })) {
      expect((await readScans(null, [file(name, content)]))?.reports).toEqual([
        read('trivy', `${name}/out/trivy.json`, 'Trivy'),
      ]);
    }
    const scans = await readScans(null, [file('trivy.json.gz', gzipSync(JSON.stringify(trivy)))]);
    expect(scans?.reports).toEqual([read('trivy', 'trivy.json.gz', 'Trivy')]);
  });

  it.each<[string, string]>([
    ['JSON of another kind', '{"coverage": 81}'],
    ['no JSON', '{ "coverage": '],
    ['a text', 'SchemaVersion'],
    ['nothing', ''],
  ])('are none in a file that is %s', async (_, content) => {
    expect(await readScans(null, [file('a', content)])).toBeNull();
  });

  it.each<[string, unknown, object]>([
    ['is of another version', { ...trivy, SchemaVersion: 1 }, unread('a', 'trivy', 'SchemaVersion: Input should be 2')],
    ['is cut', JSON.stringify(trivy).slice(0, -1), unread('a', null, 'It is no JSON in UTF-8 or UTF-16')],
    ['is cut within a character', utf16(trivy).subarray(0, -1), unread('a', null, 'It is no JSON in UTF-8 or UTF-16')],
    [
      'has malformed UTF-16',
      Buffer.concat([utf16(trivy).subarray(0, -2), Buffer.from([0x00, 0xd8, 0x7d, 0x00])]),
      unread('a', null, 'It is no JSON in UTF-8 or UTF-16'),
    ],
    [
      'has too many values in UTF-16',
      utf16(`{"Results":[${'{},'.repeat(2_000_000)}{}]}`),
      unread('a', null, 'It has more than 2000000 JSON values, which is the limit'),
    ],
    [
      'has too many values',
      `{"Results":[${'{},'.repeat(2_000_000)}{}]}`,
      unread('a', null, 'It has more than 2000000 JSON values, which is the limit'),
    ],
    ['is packed and cut', gzipSync(JSON.stringify(trivy)).subarray(0, -9), unread('a', null, 'It cannot be unpacked')],
  ])('that %s is named with the reason and counted, and the others are read', async (_, content, expected) => {
    const scans = await readScans(null, [file('a', content), file('b', grype)]);
    expect(scans).toMatchObject({ tool: 'grype 0.90.0', left: 1 });
    expect(scans?.reports).toEqual([expected, read('grype', 'b', 'grype 0.90.0')]);
  });

  it('in UTF-16 are read up to the limit as UTF-8', async () => {
    const content = utf16(`{"SchemaVersion":2,"ArtifactName":"${'\u4e2d'.repeat(SCAN_BYTES_MAX / 3)}"}`);
    expect((await readScans(null, [file('a', content)]))?.reports).toEqual([
      expect.objectContaining({ file: 'a', problem: expect.stringContaining(`${SCAN_BYTES_MAX} bytes`) as unknown }),
    ]);
  });

  it('are not looked for in a damaged archive, nor in more bytes than the limit', async () => {
    const packed = (await tar({ 'trivy.json': JSON.stringify(trivy) })).subarray(0, 600);
    const bomb = gzipSync(Buffer.alloc(SCAN_BYTES_MAX + 1, 0x20));
    const scans = await readScans(null, [file('a', packed), file('b', bomb), file('c', grype)]);
    expect(scans?.reports).toEqual([
      unread('a', null, 'The archive is damaged'),
      expect.objectContaining({ file: 'b', problem: expect.stringContaining(`${SCAN_BYTES_MAX} bytes`) as unknown }),
      read('grype', 'c', 'grype 0.90.0'),
    ]);
  });

  it('may be in JSON, in gzip and in tar alone', async () => {
    const packed = await tar({ a: '{}' });
    const may = [
      bytes('{}'),
      bytes(' \r\n\t[]'),
      bytes('\ufeff{}'),
      bytes(utf16(' []')),
      bytes(utf16('{}').swap16()),
      bytes(gzipSync('a')),
      bytes(packed),
    ];
    for (const content of may) expect(mayHoldReport(content)).toBe(true);
    const none = [
      '',
      ' ',
      '<a/>',
      'PK',
      '"a"',
      utf16(''),
      utf16('"a"'),
      Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]),
    ];
    for (const content of none) expect(mayHoldReport(bytes(content))).toBe(false);
  });
});
