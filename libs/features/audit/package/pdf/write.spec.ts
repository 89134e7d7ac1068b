import fc from 'fast-check';
import { codePoint } from '@assurance/testing/code-point';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.js';
import type { TextItem } from 'pdfjs-dist/types/src/display/api';
import { PAGE } from './page/look';
import type { AuditReport, TimelineRow } from './report';
import { evidenceRow, digest, file, sample } from './testing/sample';
import { writeReport } from './write';

/** A text on a page, and its position in points from the left. */
interface PlacedText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A report, read by another library. */
interface ParsedReport {
  readonly document: PDFDocumentProxy;
  readonly placed: readonly (readonly PlacedText[])[];
  /** The text of each page without blanks, because their places depend on the layout. */
  readonly pages: readonly string[];
  readonly whole: string;
}

async function renderReport(report: AuditReport): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of writeReport(report)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

async function read(bytes: Buffer): Promise<ParsedReport> {
  const document = await getDocument({ data: new Uint8Array(bytes), disableFontFace: true, verbosity: 0 }).promise;
  const placed: PlacedText[][] = [];
  for (let page = 1; page <= document.numPages; page += 1) {
    const { items } = await (await document.getPage(page)).getTextContent();
    placed.push(
      (items as TextItem[]).map(({ str, transform, width }) => {
        const from = (transform as number[])[4] ?? NaN;
        return { text: str, from, to: from + width };
      }),
    );
  }
  const pages = placed.map((all) => packed(all.map(({ text }) => text).join('')));
  return { document, placed, pages, whole: pages.join('') };
}

function packed(text: string): string {
  return text.replace(/\s/g, '');
}

const readSample = async (changes: Partial<AuditReport> = {}) => read(await renderReport(sample(changes)));

describe('the report of an audit package', () => {
  it('names its subject, the verdict with reasons, where the artifact ran, and how to verify the report', async () => {
    const { whole } = await readSample();
    for (const text of [
      'This is what was recorded of one trail',
      'Not compliant',
      'Attestation “scan” (snyk) of artifact “web” is not compliant.',
      'Artifact “worker” was not reported.',
      'acme',
      'web-shop',
      'release-7',
      'The basket',
      'c'.repeat(40),
      '2026-11-21 12:00:00 UTC, caused by ada',
      '(region eu)',
      '20,000 components',
      'incomplete: 17 more are not recorded',
      'syft 1.2',
      'and 1 more tool',
      'attestations/2/files/001-bom.json',
      'CVE-2021-44228',
      'pkg:npm/a@1',
      'not affected',
      'component not present',
      'Acme Security',
      digest(4),
      'log4j.openvex.json, imported 2026-11-21 12:00:00 UTC by ada',
      'The trail began.',
      'started in environment “prod”, snapshot 17',
      digest(1),
      digest(2),
      'scan result.json',
      '1,234 bytes',
      digest(0xabc),
      'https://ci.example.com/17',
      'still running',
      'prod-rules, version 3',
      digest(3),
      'artifact is missing required scan',
      'sha256sum -c SHA256SUMS',
      'npm run verify-package',
      digest(0xdef),
    ])
      expect(whole).toContain(packed(text));
  });

  it('has a title, a language, dates of its own, bookmarks, and a structure for those who listen to it', async () => {
    const { document } = await readSample();
    const { info } = (await document.getMetadata()) as unknown as { readonly info: Readonly<Record<string, unknown>> };
    expect(info).toMatchObject({
      Title: 'Audit report: trail release-7',
      Language: 'en',
      CreationDate: 'D:20261121120000Z',
      ModDate: 'D:20261121120000Z',
    });
    const outline = (await document.getOutline()) as { readonly title: string }[];
    const titles = [
      'Summary',
      'Timeline',
      'Evidence',
      'Artifacts',
      'Components',
      'VEX statements',
      'Deployments',
      'Policies in force',
      'How to verify this package',
    ];
    expect(outline.map(({ title }) => title)).toEqual(titles);
    expect(await document.getMarkInfo()).toMatchObject({ Marked: true });
    const structure = JSON.stringify(await (await document.getPage(2)).getStructTree());
    for (const role of ['Sect', 'H2', 'Table', 'TR', 'TH', 'TD']) expect(structure).toContain(`"role":"${role}"`);
  });

  it('is the same bytes for the same report, and others for another', async () => {
    const bytes = await renderReport(sample());
    expect(await renderReport(sample())).toEqual(bytes);
    expect(await renderReport(sample({ description: 'Another' }))).not.toEqual(bytes);
    const [before, after] = [await read(bytes), await readSample({ at: sample().at + 1_000 })];
    expect(after.document.fingerprints[0]).not.toBe(before.document.fingerprints[0]);
  });

  it.each([
    ['artifact shop/web:1.4', { kind: 'artifact', name: 'shop/web:1.4', fingerprint: digest(0xabc) } as const],
    ['attestation scan of trail release-7', { kind: 'attestation', name: 'scan', id: 'id-1' } as const],
  ])('is of one %s', async (title, what) => {
    const { document, whole } = await readSample({ what });
    expect(((await document.getMetadata()).info as { readonly Title: string }).Title).toBe(`Audit report: ${title}`);
    expect(whole).toContain(packed(`This is what was recorded of one ${what.kind}`));
    expect(whole).toContain(what.kind === 'artifact' ? `Fingerprint${what.fingerprint}` : `Attestationid${what.id}`);
  });

  it('says so where there is nothing', async () => {
    const verdict = { status: 'COMPLIANT', requirements: [], missingArtifacts: [] } as const;
    const nothing = { timeline: [], evidence: [], artifacts: [], deployments: [], policies: [], chains: [], verdict };
    const { whole } = await readSample({ ...nothing, commit: null, repository: null });
    for (const text of [
      'Nothing was asked for',
      'Nothing was attested.',
      'none of it ran anywhere',
      'No policy judged what ran.',
    ])
      expect(whole).toContain(packed(text));
    expect(whole).not.toContain(packed('Git commit'));
  });

  it('shows 200 attestations: each whole on one page, under the head of the table, on numbered pages', async () => {
    const evidence = Array.from({ length: 200 }, (_, i) => evidenceRow(1_000 + i));
    const { pages } = await readSample({ evidence });
    for (const { name, file: of } of evidence) {
      const on = pages.filter((page) => page.includes(of.sha256));
      expect(on).toHaveLength(1);
      expect(on[0]).toContain(name);
      expect(on[0]).toContain(packed('Attestation About Verdict Recorded'));
    }
    expect(pages.length).toBeGreaterThan(10);
    pages.forEach((page, i) => {
      expect(page).toContain(packed(`Page ${i + 1} of ${pages.length}`));
      expect(page).toContain(packed('Audit report: trail release-7'));
    });
  });

  it.each([
    ['without a blank', 'W'.repeat(512)],
    ['with dashes', 'a-long-name-'.repeat(43).slice(0, 512)],
    ['of Chinese characters', '安全'.repeat(256)],
  ])('wraps a name of 512 characters %s within the page', async (_, name) => {
    const { whole, placed } = await readSample({ trail: name, evidence: [evidenceRow(7, name)] });
    expect(whole.split(name).length - 1).toBeGreaterThanOrEqual(2);
    for (const { to } of placed.flat()) expect(to).toBeLessThan(PAGE.width - PAGE.right + 1);
  });

  it('shows all of a name of 512 characters that no font has', async () => {
    const { whole } = await readSample({ evidence: [evidenceRow(7, '\u{13000}'.repeat(512))] });
    expect(whole.split('⟨U+13000⟩').length - 1).toBe(512);
  });

  it('breaks a row that is longer than a page, and loses nothing of it', async () => {
    const names = Array.from({ length: 19 }, (_, i) => `${i}-${'x'.repeat(900)}.txt`);
    const attachments = names.map((filename, i) => ({ ...file(`attestations/1/${i}`, 5_000 + i), filename }));
    const { whole, pages } = await readSample({ evidence: [{ ...evidenceRow(1), attachments }] });
    for (const { filename, sha256 } of attachments) {
      expect(whole).toContain(filename.slice(0, 30));
      expect(whole.split(sha256)).toHaveLength(2);
    }
    expect(pages.length).toBeGreaterThan(3);
  });

  it('draws Cyrillic, Greek, Chinese, Japanese and Korean', async () => {
    const names = ['Проверка сборки', 'Έλεγχος ασφάλειας', '安全扫描测试', '単体テスト結果', '보안 검사'];
    const { whole } = await readSample({ evidence: names.map((name, i) => evidenceRow(i, name)) });
    for (const name of names) expect(whole).toContain(packed(name));
  });

  it('shows characters that hide or reverse text, and characters that it cannot draw', async () => {
    const { whole } = await readSample({ evidence: [evidenceRow(1, 'safe\u202Egnp.exe\u0000\u200B\u{1F680}\uD800')] });
    expect(whole).toContain('safe⟨U+202E⟩gnp.exe⟨U+0000⟩⟨U+200B⟩⟨U+1F680⟩⟨U+D800⟩');
  });

  it('has no links, whatever its texts say', async () => {
    const evil = '<a href="javascript:alert(1)">x</a> https://evil.example (/URI) >> endobj';
    const { document, whole } = await readSample({ trail: evil, description: evil, evidence: [evidenceRow(1, evil)] });
    for (let page = 1; page <= document.numPages; page += 1)
      expect(await (await document.getPage(page)).getAnnotations()).toEqual([]);
    expect(whole).toContain(packed(evil));
    const { metadata } = await document.getMetadata();
    expect((metadata as { get(name: string): unknown }).get('dc:title')).toContain('‹a href="javascript:alert(1)"›');
  });

  it('is made while it is read', async () => {
    let count = 0;
    function* rows(): Generator<TimelineRow> {
      for (; count < 1_500; count += 1) yield { at: count, by: 'ci', what: { kind: 'begun' } };
    }
    for await (const piece of writeReport(sample({ timeline: rows() }))) {
      expect((piece as Buffer).length).toBeGreaterThan(0);
      break;
    }
    expect(count).toBeLessThan(1_000);
  });

  it('ends, however many rows there are', async () => {
    function* endless(): Generator<TimelineRow> {
      for (let at = 0; ; at += 1) yield { at, by: 'ci', what: { kind: 'begun' } };
    }
    const { whole } = await readSample({ timeline: endless() });
    expect(whole).toContain(packed('These are the first 2,000 events. All of them are in events/.'));
  });

  it('says what the package leaves out', async () => {
    const { whole } = await readSample({ olderDeployments: true });
    expect(whole).toContain(packed('1 deployment. There were older ones, which the package leaves out.'));
  });

  it('breaks off where its rows do', async () => {
    async function* broken(): AsyncGenerator<TimelineRow> {
      yield { at: 1, by: 'ci', what: { kind: 'begun' } };
      await Promise.reject(new Error('the store went away'));
    }
    await expect(renderReport(sample({ timeline: broken() }))).rejects.toThrow('the store went away');
  });

  it('comes to its end with any text in any place', async () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(' ', '\n', '\u202E', 'é', 'ش', 'א', '測', '가', '\u0301', '-'),
        fc.string({ unit: codePoint, minLength: 1, maxLength: 1 }),
      ),
      maxLength: 80,
    });
    const report = fc.tuple(text, text, text, text).map(([a, b, c, d]) =>
      sample({
        organization: a,
        flow: b,
        trail: c,
        description: d,
        by: a,
        evidence: [{ ...evidenceRow(1, a), type: b, by: c, note: d, attachments: [{ ...file(b, 1), filename: d }] }],
        timeline: [{ at: 0, by: a, what: { kind: 'overridden', name: b, type: c, about: d, compliant: false } }],
      }),
    );
    await fc.assert(
      fc.asyncProperty(report, async (content) => {
        const bytes = await renderReport(content);
        return bytes.subarray(-6).toString().trim() === '%%EOF' && (await read(bytes)).pages.length >= 2;
      }),
      { numRuns: 10 },
    );
  });
});
