import type { AttestationType } from '@assurance/contracts/evidence/documents';
import type { AttestationTypeDemands, AttestationTypeEvent } from '@assurance/contracts/evidence/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { attestationType } from './attestation-type';
import { decideArchiveAttestationType, decidePostAttestationType, VERSIONS_MAX } from './change-attestation-type';

const replay = replayOf(attestationType);
const there = (events: readonly AttestationTypeEvent[]): AttestationType => {
  const state = replay(events);
  if (state === null) throw new Error('these events begin with a creation');
  return state;
};

const ANY: AttestationTypeDemands = { schema: null, rules: [], summary: null };
const STRICT: AttestationTypeDemands = {
  schema: { type: 'object' },
  rules: ['.coverage >= 80'],
  summary: [{ name: 'coverage', expression: '.coverage' }],
};
const created = (demands = ANY, description: string | null = null) =>
  ({
    type: 'AttestationTypeCreated',
    version: 1,
    data: { id: 't1', name: 'coverage', description, ...demands },
  }) as const;
const revised = (version: number, demands = ANY, more: { description?: string } = {}) =>
  ({ type: 'AttestationTypeRevised', version: 1, data: { version, ...more, ...demands } }) as const;
const archived = { type: 'AttestationTypeArchived', version: 1, data: {} } as const;
const revived = { type: 'AttestationTypeRevived', version: 1, data: {} } as const;

describe('posting a type', () => {
  const spec = deciderSpec({ replay, decide: decidePostAttestationType });
  const facts = { id: 't1' };

  it('creates it, without a description where none is given', () => {
    spec
      .given()
      .when({ name: 'coverage', ...STRICT }, facts)
      .thenRecords(created(STRICT));
    spec
      .given()
      .when({ name: 'coverage', description: '', ...ANY }, facts)
      .thenRecords(created());
    spec
      .given()
      .when({ name: 'coverage', description: 'Of tests', ...ANY }, facts)
      .thenRecords(created(ANY, 'Of tests'));
  });

  it('adds a version to an existing type, even with equal content', () => {
    spec
      .given(created())
      .when({ name: 'coverage', ...ANY }, facts)
      .thenRecords(revised(2));
    spec
      .given(created(ANY, 'Of tests'), revised(2))
      .when({ name: 'coverage', description: 'Of all tests', ...STRICT }, facts)
      .thenRecords(revised(3, STRICT, { description: 'Of all tests' }));
    spec
      .given(created(ANY, 'Of tests'))
      .when({ name: 'coverage', description: '', ...ANY }, facts)
      .thenRecords(revised(2));
  });

  it('restores an archived type', () => {
    spec
      .given(created(), archived)
      .when({ name: 'coverage', ...ANY }, facts)
      .thenRecords(revived, revised(2));
  });

  it('is refused beyond the most versions', () => {
    const all = Array.from({ length: VERSIONS_MAX - 1 }, (_, i) => revised(i + 2));
    spec
      .given(created(), ...all)
      .when({ name: 'coverage', ...ANY }, facts)
      .thenRefuses({ kind: 'too-many-versions', limit: VERSIONS_MAX });
  });
});

describe('archiving a type', () => {
  const spec = deciderSpec({ replay: there, decide: (state, _: null) => decideArchiveAttestationType(state) });

  it('is done once, and again after it came back', () => {
    spec.given(created()).when(null).thenRecords(archived);
    spec.given(created(), archived).when(null).thenNothing();
    spec.given(created(), archived, revived, revised(2)).when(null).thenRecords(archived);
  });
});
