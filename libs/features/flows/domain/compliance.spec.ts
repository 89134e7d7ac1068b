import type { AttestationTarget } from '@assurance/contracts/evidence/events';
import type { FlowTemplate } from '@assurance/contracts/flows/events';
import { type AttestationDocument, subjectOf } from './attestation';
import { artifactStatus, statusForArtifact, trailStatus } from './compliance';

const foo = { name: 'foo', type: 'junit' };
const bar = { name: 'bar', type: 'generic' };
const of = (
  attestations: { name: string; type: string }[],
  artifacts: { name: string; attestations: typeof attestations }[],
) => ({ yaml: '', trail: { attestations, artifacts } }) satisfies FlowTemplate;
const artifact = (template: string, fingerprint = 'a') => ({
  template,
  fingerprint,
  artifactId: `id-${fingerprint}`,
  gitCommit: 'c'.repeat(40),
});

describe('a trail against its template', () => {
  it('is compliant if nothing is required, whatever it contains', () => {
    expect(trailStatus({ yaml: 'version: 1\n' }, [], []).status).toBe('COMPLIANT');
    const { status, artifacts } = trailStatus({ yaml: 'version: 1\n' }, [artifact('cli')], []);
    expect([status, artifacts.get('cli')]).toEqual([
      'COMPLIANT',
      { fingerprint: 'a', artifactId: 'id-a', status: 'COMPLIANT', attestations: [], unexpected: true },
    ]);
  });

  it('is incomplete while an attestation or an artifact is missing', () => {
    expect(trailStatus(of([bar], []), [], [])).toMatchObject({
      status: 'INCOMPLETE',
      attestations: [{ name: 'bar', status: 'MISSING' }],
    });
    const template = of([], [{ name: 'cli', attestations: [] }]);
    expect(trailStatus(template, [], []).status).toBe('INCOMPLETE');
    expect(trailStatus(template, [], []).artifacts.get('cli')).toMatchObject({ status: 'MISSING', fingerprint: null });
    expect(trailStatus(template, [artifact('cli')], []).status).toBe('COMPLIANT');
    expect(trailStatus(template, [artifact('api')], []).status).toBe('INCOMPLETE');
  });

  it('is incomplete while an artifact misses an attestation', () => {
    const { status, artifacts } = trailStatus(of([], [{ name: 'cli', attestations: [foo] }]), [artifact('cli')], []);
    expect([status, artifacts.get('cli')?.status, artifacts.get('cli')?.attestations[0]?.compliant]).toEqual([
      'INCOMPLETE',
      'INCOMPLETE',
      null,
    ]);
  });

  it('takes the newest artifact of a name', () => {
    const { artifacts } = trailStatus(of([], []), [artifact('cli', 'new'), artifact('cli', 'old')], []);
    expect(artifacts.get('cli')?.fingerprint).toBe('new');
  });
});

describe('an artifact under the legacy list', () => {
  it('needs all that is listed beside itself', () => {
    const state = (list: string[]) => artifactStatus({ list }, { ...artifact('x'), template: null }, []).status;
    expect(state(['artifact'])).toBe('COMPLIANT');
    expect(state(['artifact', 'unit-test'])).toBe('INCOMPLETE');
  });
});

describe('attestations in a trail', () => {
  const trail: AttestationTarget = { kind: 'trail' };
  const awaiting = (template: string, commit = 'c'.repeat(40)): AttestationTarget => ({
    kind: 'awaited',
    template,
    commit,
  });
  const on = (fingerprint: string, template = 'cli'): AttestationTarget => {
    return { kind: 'artifact', fingerprint, template, artifactId: `id-${fingerprint}`, filename: fingerprint };
  };
  let seq = 0;
  const attested = (
    target: AttestationTarget,
    name: string,
    compliant = true,
    more: Partial<AttestationDocument> = {},
  ): AttestationDocument => {
    seq += 1;
    const type = more.type ?? 'junit';
    return {
      id: `att-${seq}`,
      org: 'o',
      stream: 'trail/f/t',
      seq,
      flow: 'f',
      trail: 't',
      at: seq,
      subject: subjectOf(target),
      fingerprint: target.kind === 'artifact' ? target.fingerprint : null,
      template: target.kind === 'trail' ? null : target.template,
      name,
      type,
      countsAs: type,
      compliant,
      overriddenId: null,
      control: null,
      ...more,
    };
  };
  const asking = of([{ name: 'bar', type: 'junit' }], [{ name: 'cli', attestations: [foo] }]);
  const open = of([], []);

  it.each<[string, FlowTemplate, AttestationDocument[], string, string | undefined]>([
    ['all that is asked for', asking, [attested(trail, 'bar'), attested(on('a'), 'foo')], 'COMPLIANT', 'COMPLIANT'],
    ['none of the trail', asking, [attested(on('a'), 'foo')], 'INCOMPLETE', 'COMPLIANT'],
    ['none of the artifact', asking, [attested(trail, 'bar')], 'INCOMPLETE', 'INCOMPLETE'],
    ['one that fails', asking, [attested(trail, 'bar', false), attested(on('a'), 'foo')], 'NON-COMPLIANT', 'COMPLIANT'],
    ['one of an artifact that fails', asking, [attested(on('a'), 'foo', false)], 'NON-COMPLIANT', 'NON-COMPLIANT'],
    [
      'one that was awaited',
      asking,
      [attested(trail, 'bar'), attested(awaiting('cli'), 'foo')],
      'COMPLIANT',
      'COMPLIANT',
    ],
    [
      'one that awaits another commit',
      asking,
      [attested(trail, 'bar'), attested(awaiting('cli', 'd'), 'foo')],
      'INCOMPLETE',
      'INCOMPLETE',
    ],
    ['one of another artifact', asking, [attested(trail, 'bar'), attested(on('b'), 'foo')], 'INCOMPLETE', 'INCOMPLETE'],
    [
      'one of another type',
      asking,
      [attested(trail, 'bar', true, { type: 'generic' }), attested(on('a'), 'foo')],
      'INCOMPLETE',
      'COMPLIANT',
    ],
    [
      'an override of any type',
      asking,
      [attested(trail, 'bar', true, { type: 'override', countsAs: 'generic' }), attested(on('a'), 'foo')],
      'COMPLIANT',
      'COMPLIANT',
    ],
    ['one that nobody asked for', open, [attested(on('a'), 'more')], 'COMPLIANT', 'COMPLIANT'],
    ['one that nobody asked for and fails', open, [attested(on('a'), 'more', false)], 'NON-COMPLIANT', 'NON-COMPLIANT'],
    [
      'one of the trail that nobody asked for and fails',
      open,
      [attested(trail, 'more', false)],
      'NON-COMPLIANT',
      'COMPLIANT',
    ],
  ])('%s: what the trail and its artifact come to', (_what, template, all, status, ofArtifact) => {
    const result = trailStatus(template, [artifact('cli')], all);
    expect([result.status, result.artifacts.get('cli')?.status]).toEqual([status, ofArtifact]);
  });

  it('of one name the newest counts, whatever the order and however it was bound', () => {
    const [first, second] = [attested(awaiting('cli'), 'foo', false), attested(on('a'), 'foo')];
    for (const all of [
      [first, second],
      [second, first],
    ]) {
      const status = trailStatus(of([], [{ name: 'cli', attestations: [foo] }]), [artifact('cli')], all).artifacts.get(
        'cli',
      );
      expect(status?.attestations).toEqual([
        {
          name: 'foo',
          type: 'junit',
          attestationId: second.id,
          overriddenId: null,
          status: 'COMPLETE',
          compliant: true,
          unexpected: false,
        },
      ]);
    }
  });

  it('one of another type is there beside what is missing', () => {
    const { attestations } = trailStatus(asking, [], [attested(trail, 'bar', true, { type: 'generic' })]);
    expect(attestations.map(({ type, status, unexpected }) => [type, status, unexpected])).toEqual([
      ['junit', 'MISSING', false],
      ['generic', 'COMPLETE', true],
    ]);
  });

  it('an artifact that is awaited shows what was attested, and is missing', () => {
    const { status, artifacts } = trailStatus(asking, [], [attested(trail, 'bar'), attested(awaiting('cli'), 'foo')]);
    expect([status, artifacts.get('cli')?.status, artifacts.get('cli')?.attestations[0]?.status]).toEqual([
      'INCOMPLETE',
      'MISSING',
      'COMPLETE',
    ]);
    expect(trailStatus(open, [], [attested(awaiting('cli'), 'foo')])).toMatchObject({ status: 'COMPLIANT' });
    expect(trailStatus(open, [], [attested(awaiting('cli'), 'foo', false)])).toMatchObject({ status: 'NON-COMPLIANT' });
  });

  it('of several decisions on one control the newest counts', () => {
    const control = { identifier: 'SDLC-1', version: 1 };
    const decision = (name: string, compliant: boolean, more = control) =>
      attested(trail, name, compliant, { type: 'decision', control: more });
    expect(trailStatus(open, [], [decision('one', false), decision('two', true)]).status).toBe('COMPLIANT');
    expect(trailStatus(open, [], [decision('one', true), decision('two', false)]).status).toBe('NON-COMPLIANT');
    const other = { identifier: 'SDLC-2', version: 1 };
    expect(trailStatus(open, [], [decision('one', false), decision('two', true, other)]).status).toBe('NON-COMPLIANT');
  });

  it('an artifact does not depend on attestations that other artifacts lack', () => {
    const result = of(
      [{ name: 'bar', type: 'junit' }],
      [
        { name: 'cli', attestations: [foo] },
        { name: 'api', attestations: [foo] },
      ],
    );
    const all = [attested(trail, 'bar'), attested(on('a'), 'foo')];
    expect(trailStatus(result, [artifact('cli')], all).status).toBe('INCOMPLETE');
    expect(statusForArtifact(result, artifact('cli'), all)).toEqual({ artifact: 'COMPLIANT', trail: 'COMPLIANT' });
    expect(statusForArtifact(result, artifact('cli'), all.slice(1))).toEqual({
      artifact: 'COMPLIANT',
      trail: 'INCOMPLETE',
    });
  });
});
