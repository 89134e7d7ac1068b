import { silenceOf } from './silence';

const suite = (total: number, skipped = 0) => ({ name: 'unit', total, skipped, failures: 0, errors: 0 });

describe('an attestation in which nothing was checked', () => {
  it.each([[[]], [[suite(0)]], [[suite(3, 3)]], [null]])('says that no test ran: %j', (junit_results) => {
    expect(silenceOf('junit', { junit_results })).toBe('No test ran');
  });

  it('says that it has no result', () => {
    expect(silenceOf('snyk', { snyk_results: { results: [] } })).toBe('No result');
    expect(silenceOf('snyk', {})).toBe('No result');
  });

  it('is none of those with a result', () => {
    expect(silenceOf('junit', { junit_results: [suite(0), suite(3, 2)] })).toBeNull();
    expect(silenceOf('snyk', { snyk_results: { results: [{}] } })).toBeNull();
    expect(silenceOf('generic', {})).toBeNull();
  });
});
