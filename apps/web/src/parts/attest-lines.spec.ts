import { attestLines } from './attest-lines';

const missing = { org: 'acme', flow: 'web', trail: "it's/1", fingerprint: 'a1', api: 'https://example.com/api/v2' };
const rule = (name: string, type: string, for_control?: string) => ({
  type: 'attestation' as const,
  definition: { if: null, name, type, must_be_compliant: true, ...(for_control === undefined ? {} : { for_control }) },
});
const bodyOf = (lines: string): unknown => JSON.parse(/data_json='(.*)'$/.exec(lines)?.[1] ?? '');

describe('the lines that attest what is missing', () => {
  it.each([
    ['scan', 'snyk', undefined, 'snyk', { attestation_name: 'scan', snyk_results: {} }],
    ['*', '*', undefined, 'generic', { attestation_name: 'NAME', is_compliant: true }],
    ['coverage', 'custom:lines', undefined, 'custom', { type_name: 'lines', attestation_data: {} }],
    ['*', 'decision', 'SDLC-7', 'system', { type_name: 'decision', control: 'SDLC-7' }],
  ])('for %s of type %s and control %s go to %s', (name, type, control, kind, body) => {
    const lines = attestLines({ ...missing, rule: rule(name, type, control) });
    expect(lines).toContain(`/attestations/acme/web/trail/it'\\''s%2F1/${kind}'`);
    expect(bodyOf(lines)).toMatchObject({ artifact_fingerprint: 'a1', ...body });
  });

  it('name no artifact for evidence of a trail', () => {
    const { fingerprint: _, ...ofTrail } = missing;
    const body = bodyOf(attestLines({ ...ofTrail, rule: rule('review', 'pull_request') }));
    expect(body).toMatchObject({ attestation_name: 'review', git_provider: 'github' });
    expect(body).not.toHaveProperty('artifact_fingerprint');
  });
});
