import type { FlowTemplate } from '@assurance/contracts-events';
import { artifactStatus, trailStatus } from './compliance';

const foo = { name: 'foo', type: 'junit' };
const bar = { name: 'bar', type: 'generic' };
const of = (
  attestations: { name: string; type: string }[],
  artifacts: { name: string; attestations: typeof attestations }[],
) => ({ yaml: '', trail: { attestations, artifacts } }) satisfies FlowTemplate;
const artifact = (template: string, fingerprint = 'a') => ({ template, fingerprint, artifactId: `id-${fingerprint}` });

describe('a trail against its template', () => {
  it('is compliant where nothing is asked for, whatever is there', () => {
    expect(trailStatus({ yaml: 'version: 1\n' }, []).status).toBe('COMPLIANT');
    const { status, artifacts } = trailStatus({ yaml: 'version: 1\n' }, [artifact('cli')]);
    expect([status, artifacts.get('cli')]).toEqual([
      'COMPLIANT',
      { fingerprint: 'a', artifactId: 'id-a', status: 'COMPLIANT', attestations: [], unexpected: true },
    ]);
  });

  it('is incomplete while an attestation or an artifact is missing', () => {
    expect(trailStatus(of([bar], []), [])).toMatchObject({
      status: 'INCOMPLETE',
      attestations: [{ name: 'bar', status: 'MISSING' }],
    });
    const template = of([], [{ name: 'cli', attestations: [] }]);
    expect(trailStatus(template, []).status).toBe('INCOMPLETE');
    expect(trailStatus(template, []).artifacts.get('cli')).toMatchObject({ status: 'MISSING', fingerprint: null });
    expect(trailStatus(template, [artifact('cli')]).status).toBe('COMPLIANT');
    expect(trailStatus(template, [artifact('api')]).status).toBe('INCOMPLETE');
  });

  it('is incomplete while an artifact misses an attestation', () => {
    const { status, artifacts } = trailStatus(of([], [{ name: 'cli', attestations: [foo] }]), [artifact('cli')]);
    expect([status, artifacts.get('cli')?.status, artifacts.get('cli')?.attestations[0]?.compliant]).toEqual([
      'INCOMPLETE',
      'INCOMPLETE',
      null,
    ]);
  });

  it('takes the newest artifact of a name', () => {
    const { artifacts } = trailStatus(of([], []), [artifact('cli', 'new'), artifact('cli', 'old')]);
    expect(artifacts.get('cli')?.fingerprint).toBe('new');
  });
});

describe('an artifact under the legacy list', () => {
  it('needs all that is listed beside itself', () => {
    const state = (list: string[]) => artifactStatus({ list }, { ...artifact('x'), template: null }).status;
    expect(state(['artifact'])).toBe('COMPLIANT');
    expect(state(['artifact', 'unit-test'])).toBe('INCOMPLETE');
  });
});
