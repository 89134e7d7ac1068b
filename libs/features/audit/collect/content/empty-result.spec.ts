import { emptyResultOf } from './empty-result';

const suite = (total: number, skipped = 0) => ({ name: 'unit', total, skipped, failures: 0, errors: 0 });

describe('an attestation in which nothing was checked', () => {
  it.each([
    ['a list without suites', []],
    ['suites without tests', [suite(0), suite(0)]],
    ['tests that were all skipped', [suite(3, 3), suite(0)]],
  ])('is a JUnit result of %s', (_, junit_results) => {
    expect(emptyResultOf('junit', { junit_results })).toBe('no test ran');
  });

  it('is a Snyk result without results', () => {
    expect(emptyResultOf('snyk', { snyk_results: { results: [] } })).toBe('no result');
    expect(emptyResultOf('snyk', { snyk_results: {} })).toBe('no result');
  });

  it.each([
    ['a test ran', 'junit', { junit_results: [suite(0), suite(3, 2)] }],
    ['a project was scanned', 'snyk', { snyk_results: { results: [{ high_count: 0 }] } }],
    ['it is of another type', 'generic', {}],
    ['it has other fields', 'sonar', { sonar_results: {} }],
  ])('is none where %s', (_, type, payload) => {
    expect(emptyResultOf(type, payload)).toBeNull();
  });
});
