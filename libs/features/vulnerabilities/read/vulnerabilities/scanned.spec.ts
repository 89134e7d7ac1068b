import type { ListedFinding } from '@assurance/contracts/evidence/events';
import type { Vulnerability } from './groups';
import type { ScanRow } from './rows';
import { exposedTo } from './scanned';

const scan = { org: 'o', scan: 'trail/t#1', subject: 'f', fingerprint: 'f' } as ScanRow;
const finding = (about: ListedFinding['package']): ListedFinding => ({
  id: 'CVE-1',
  aliases: [],
  severity: 'high',
  title: '',
  published: null,
  fixedIn: [],
  package: about,
});
const inPackage = (name: string, purl: string | null = null) => finding({ name, version: '1.0.0', purl });
const matches = (...purls: readonly string[]): Vulnerability['matches'] =>
  new Map(purls.map((purl) => [purl, { certain: true, entries: ['A'], fixedIn: [] }]));
const place = { sbom: 's', part: 'p', key: 'k', index: 0 } as never;

async function rows(purls: readonly string[], ...findings: readonly ListedFinding[]) {
  const listed = new Map(purls.map((purl) => [purl, [{ fingerprint: 'f', place }]]));
  const found = findings.map((one) => ({ finding: one, scans: [scan] }));
  const all = await exposedTo({ matches: matches(...purls), findings: found }, listed, new Map([[scan.scan, ['f']]]));
  return all.map(({ purl, findings: own }) => [purl, own.map(({ finding: one }) => one.package?.name ?? null)]);
}

describe('the components of an artifact that have a vulnerability', () => {
  it('are those of its bill of materials that findings are about, by package URL, else by name and version', async () => {
    const purls = ['pkg:npm/a@1.0.0', 'pkg:npm/%40b/c@1.0.0'];
    expect(await rows(purls, inPackage('other', 'pkg:npm/a@1.0.0'), inPackage('@b/c'))).toEqual([
      ['pkg:npm/%40b/c@1.0.0', ['@b/c']],
      ['pkg:npm/a@1.0.0', ['other']],
    ]);
  });

  it('are others where no bill of materials lists them, each once', async () => {
    const again = inPackage('a', 'pkg:npm/a@1.0.0');
    expect(await rows([], again, inPackage('b'), again, inPackage('b'), inPackage('a'))).toEqual([
      ['', ['b', 'b']],
      ['pkg:npm/a@1.0.0', ['a', 'a', 'a']],
    ]);
    // A finding belongs to the first row that it matches.
    expect(await rows([], inPackage('a'), inPackage('a', 'pkg:npm/a@1.0.0'))).toEqual([['', ['a', 'a']]]);
  });

  it('are the first where a finding names no package', async () => {
    expect(await rows(['pkg:npm/a@1.0.0', 'pkg:npm/b@1.0.0'], finding(null))).toEqual([
      ['pkg:npm/a@1.0.0', [null]],
      ['pkg:npm/b@1.0.0', []],
    ]);
    expect(await rows([], finding(null), inPackage('b'))).toEqual([['', ['b', null]]]);
  });

  // An earlier version compared each with all rows before it, which took minutes.
  it('are found in one look each, however many packages reports name', async () => {
    const many = Array.from({ length: 60_000 }, (_, i) => inPackage(`n${i}`, `pkg:npm/n${i}@1.0.0`));
    expect(await rows([], ...many)).toHaveLength(60_000);
  });
});
