import type { DomainEvent } from '@assurance/contracts/events/event';
import { provenance } from '@assurance/testing/deciders/samples';
import { flowOccurrencesOf } from './flow-occurrences';
import { occurrencesFor } from './occurrences';

const FINGERPRINT = 'ab'.repeat(32);
const flow = { id: 'f1', name: 'shop' };
const event = (type: string, data: object): DomainEvent => ({ type, version: 1, data });
const begun = event('TrailBegun', { flow, name: 'build-1', templateId: 't', commit: null });
const web = provenance('shop/web:1', { flow, trail: 'build-1', buildUrl: 'https://ci.example.com/1' });
const reported = (first: object | null) =>
  event('ArtifactReported', { fingerprint: FINGERPRINT, provenance: web, first });
const attested = (fields: object) =>
  event('AttestationReported', {
    id: 'i1',
    name: 'tests',
    type: 'junit',
    compliant: false,
    target: { kind: 'trail' },
    ...fields,
  });

describe('what happens in a flow', () => {
  it('is the start of a trail', () => {
    expect(flowOccurrencesOf(begun)).toEqual([
      { trigger: 'ON_STARTED_TRAIL', type: 'TRAIL_STARTED', description: 'The trail started', artifact: null },
    ]);
  });

  it('is the first report of an artifact in a trail, and no other of it', () => {
    const { artifactId, trail, gitCommit, commitUrl, buildUrl } = web;
    expect(flowOccurrencesOf(reported(null))).toMatchObject([
      {
        trigger: 'ON_ATTESTED_PROVENANCE',
        type: 'PROVENANCE_ATTESTED',
        artifact: {
          name: 'shop/web:1',
          fingerprint: FINGERPRINT,
          compliant: null,
          provenance: { flow: 'shop', artifactId, trail, gitCommit, commitUrl, buildUrl },
        },
      },
    ]);
    expect(flowOccurrencesOf(reported(provenance))).toEqual([]);
  });

  it.each([
    [{}, null, 'The attestation tests (junit) was reported: not compliant'],
    [
      { compliant: true, target: { kind: 'artifact', fingerprint: FINGERPRINT, filename: 'shop/web:1' } },
      { name: 'shop/web:1', fingerprint: FINGERPRINT, compliant: null, provenance: null },
      'The attestation tests (junit) was reported: compliant',
    ],
    [
      { type: 'override', compliant: true, target: { kind: 'awaited', template: 'web', commit: '4f' } },
      null,
      'The attestation tests (override) was reported: compliant',
    ],
  ])('is each attestation: %j', (fields, artifact, description) => {
    expect(flowOccurrencesOf(attested(fields))).toMatchObject([
      { trigger: 'ON_ATTESTATION', type: 'ATTESTATION_REPORTED', description, artifact, attestation: { id: 'i1' } },
    ]);
  });

  it.each(['TrailUpdated', 'AttestationPayloadKept'])('includes no other event, such as %s', (type) => {
    expect(flowOccurrencesOf(event(type, {}))).toEqual([]);
  });
});

it('goes to notifications that list the flow and have the trigger', () => {
  const all = [begun, reported(null), attested({})].flatMap(flowOccurrencesOf);
  const listens = (fields: object) => ({ deleted: false, environments: [], triggers: ['ON_ATTESTATION'], ...fields });
  const triggersOf = (fields: object) =>
    occurrencesFor(listens(fields) as never, 'f1', all).map(({ trigger }) => trigger);
  expect(triggersOf({ flows: ['f1'] })).toEqual(['ON_ATTESTATION']);
  expect(triggersOf({ flows: ['f1'], triggers: ['ON_STARTED_TRAIL', 'ON_ATTESTED_PROVENANCE'] })).toHaveLength(2);
  expect(triggersOf({ flows: ['f1'], triggers: ['ON_APPROVAL', 'ON_RELEASE'] })).toEqual([]);
  expect(triggersOf({ flows: ['f2'] })).toEqual([]);
  expect(triggersOf({})).toEqual([]);
  expect(triggersOf({ flows: ['f1'], deleted: true })).toEqual([]);
});
