import { madeAtOf } from './made-at';

const AT = Date.UTC(2026, 9, 1, 12) / 1_000;

describe('when evidence was made', () => {
  it.each([
    ['the last suite of a JUnit report', { junit_results: [{ timestamp: AT - 60 }, { timestamp: AT }, {}] }, AT],
    ['the document of a bill of materials', { sbom: { created_at: '2026-10-01T14:00:00+02:00' } }, AT],
    ['nothing: suites without a time', { junit_results: [{ name: 'unit' }, { timestamp: 0 }] }, null],
    ['nothing: a bill without a time', { sbom: { created_at: null } }, null],
    ['nothing: a text that is no time', { sbom: { created_at: 'yesterday' } }, null],
    ['nothing: other evidence', { snyk_results: {}, junit_results: 'none', sbom: 7 }, null],
  ])('is told by %s', (_, payload, expected) => {
    expect(madeAtOf(payload)).toBe(expected);
  });

  it('is read from as many suites as a report may have', () => {
    const junit_results = Array.from({ length: 200_000 }, (_, i) => ({ timestamp: AT + i }));
    expect(madeAtOf({ junit_results })).toBe(AT + 199_999);
  });
});
