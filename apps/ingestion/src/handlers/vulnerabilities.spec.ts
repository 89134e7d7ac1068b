import { ok } from '@assurance/kernel';
import { ImportVulnerabilities } from '@assurance/vulnerabilities/write/import-vulnerabilities';
import { atAcme } from '../testing/acme';

const acme = atAcme();
const file = (sha256: string) => ({ filename: 'db.json', sha256: sha256.repeat(64), size: 10 });
const parts = (count: number): ConstructorParameters<typeof ImportVulnerabilities>[0]['parts'] => ({
  vulnerabilityParts: Array.from({ length: count }, () => '[]'),
  statementParts: ['[]'],
  vulnerabilities: count,
  statements: 1,
  unread: 0,
  refusals: [],
  unknownEcosystems: [],
});
const run = (sha256: string, count: number) =>
  acme().run(new ImportVulnerabilities({ caller: acme().ada, file: file(sha256), parts: parts(count) }));

describe('ImportVulnerabilitiesHandler', () => {
  it('records a file in parts, with a begin and an end, and nothing for the same file again', async () => {
    const imported = { ...file('a'), vulnerabilities: 10, statements: 1, unread: 0 };
    expect(await run('a', 10)).toEqual({
      answer: ok({ now: true, file: imported }),
      events: [
        'VulnerabilityImportBegun',
        ...Array.from({ length: 10 }, () => 'VulnerabilitiesListed'),
        'VexStatementsListed',
        'VulnerabilitiesImported',
      ],
    });
    expect(await run('a', 10)).toMatchObject({ answer: ok({ now: false, file: imported }), events: [] });
    expect((await run('b', 1)).events).toHaveLength(4);
  });
});
