import { accepted, noChange } from '@assurance/kernel';
import { decideBeginImport, vulnerabilities } from './imports';

const meta = (seq: number) => ({ org: 'o1', stream: 'vulnerabilities/o1', seq, at: seq * 1_000, actor: 'ada' });
const file = (name: string) => ({ filename: `${name}.json`, sha256: name.repeat(64), size: 10 });
const imported = (name: string) =>
  ({
    type: 'VulnerabilitiesImported',
    version: 1,
    data: { ...file(name), vulnerabilities: 1, statements: 0, unread: 0 },
  }) as const;
const begun = (name: string) => ({ type: 'VulnerabilityImportBegun', version: 1, data: file(name) }) as const;

describe('the import of a file', () => {
  const state = vulnerabilities.evolve(vulnerabilities.evolve(null, begun('a'), meta(1)), imported('a'), meta(2));

  it('begins where the file is new, or an earlier import of it did not end', () => {
    expect(decideBeginImport(null, file('a'))).toEqual(accepted(begun('a')));
    expect(decideBeginImport(state, file('b'))).toEqual(accepted(begun('b')));
    expect(decideBeginImport(vulnerabilities.evolve(state, begun('b'), meta(3)), file('b'))).toEqual(
      accepted(begun('b')),
    );
  });

  it('changes nothing where the file was imported', () => expect(decideBeginImport(state, file('a'))).toBe(noChange));

  it('is remembered with who did it, each file once and the newest hundred', () => {
    expect(state.imports).toEqual([{ ...imported('a').data, at: 2_000, by: 'ada' }]);
    const again = vulnerabilities.evolve(state, imported('a'), meta(3));
    expect(again.imports).toMatchObject([{ at: 3_000 }]);
    let many = state;
    for (let seq = 3; seq < 203; seq += 1) {
      const data = { ...imported('a').data, sha256: String(seq) };
      many = vulnerabilities.evolve(many, { ...imported('a'), data }, meta(seq));
    }
    expect(many.imports.map(({ sha256 }) => sha256)).toEqual(Array.from({ length: 100 }, (_, at) => String(at + 103)));
  });
});
