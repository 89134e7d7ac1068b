import type { AttestationReported } from '@assurance/contracts/evidence/events';
import type { TrailBegun, TrailEvent } from '@assurance/contracts/flows/events';
import { type AttestationDocument, newestAttestations } from '@assurance/flows/domain/attestation';
import type { ProvenanceDocument } from '@assurance/flows/domain/provenance';
import { trail } from '@assurance/flows/domain/trail';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { metaAt, replayOf } from '@assurance/testing/deciders/replay';
import { commitAt, fingerprintOf, provenance } from '@assurance/testing/deciders/samples';
import { type Attest, type AttestFacts, decideAttest } from './attest';

// There is no case without a change: each attestation is a new record, even if it repeats an earlier one.

const A = fingerprintOf('a');
const KEY = { key: 'f1/build-1' };
const shop = { id: 'f1', name: 'shop', templateId: 't1', archived: false };
const begun: TrailBegun = {
  type: 'TrailBegun',
  version: 1,
  data: { flow: { id: 'f1', name: 'shop' }, name: 'build-1', templateId: 't1', commit: null },
};
const fields: Attest = {
  name: 'tests',
  type: 'junit',
  target: { kind: 'trail' },
  compliant: true,
  original: null,
  typeVersion: null,
  control: null,
  commit: commitAt(1000),
  originUrl: 'https://ci/1',
  attachments: [{ filename: 'a.tgz', sha256: fingerprintOf('a.tgz'), size: 3 }],
  payload: { junit_results: [] },
  userData: {},
  description: null,
  externalUrls: {},
  annotations: {},
};
const facts = (more: Partial<AttestFacts> = {}): AttestFacts => ({
  flow: shop,
  trail: 'build-1',
  repo: null,
  artifact: null,
  newest: null,
  overridden: null,
  id: 'n1',
  limit: 9,
  ...more,
});
const reported = (data: Partial<AttestationReported['data']> = {}): AttestationReported => ({
  type: 'AttestationReported',
  version: 1,
  data: {
    id: 'n1',
    name: 'tests',
    type: 'junit',
    countsAs: 'junit',
    target: { kind: 'trail' },
    compliant: true,
    previous: null,
    overriddenId: null,
    typeVersion: null,
    control: null,
    repo: null,
    commit: fields.commit,
    originUrl: fields.originUrl,
    attachments: fields.attachments,
    ...data,
  },
});
const storedPayload = (payload = fields.payload) =>
  ({
    type: 'AttestationPayloadKept',
    version: 1,
    data: { id: 'n1', payload, userData: {}, description: null, externalUrls: {}, annotations: {} },
  }) as const;
/** Returns the document of an attestation. */
function documentOf(event: AttestationReported): AttestationDocument {
  const replay = replayOf(trail, KEY);
  const state = replay([begun, event]);
  if (state === null) throw new Error('nothing was folded');
  const left = [...(trail.inlineProjections?.(state, event, metaAt('trail', 2, KEY), null) ?? [])];
  return left.find(({ collection }) => collection.name === newestAttestations.name)?.doc as AttestationDocument;
}
const existing: ProvenanceDocument = {
  org: 'o',
  fingerprint: A,
  stream: 'trail/f1/build-1',
  reported: '',
  first: provenance('a', { template: 'web', filename: 'web.tar', artifactId: 'a1' }),
};

describe('an attestation', () => {
  const replay = replayOf(trail, KEY);
  const spec = deciderSpec({ replay: (events: readonly TrailEvent[]) => replay(events), decide: decideAttest });

  it('begins a trail that does not exist yet', () => {
    spec.given().when(fields, facts()).thenRecords(begun, reported(), storedPayload());
  });

  it('of a bill of materials records its components in parts behind it, and how many are left out', () => {
    const component = (name: string) => ({ purl: null, name, version: null, licences: [], sha256: null });
    const parts = [[component('cup'), component('rim')], [component('tea')]];
    const listed = parts.map((components) => ({ type: 'ComponentsListed', version: 1, data: { components } }) as const);
    spec
      .given(begun)
      .when({ ...fields, components: { parts, left: 4, unmatched: 2, roots: ['pkg:npm/shop@1'] } }, facts())
      .thenRecords(
        reported({ components: { listed: 3, left: 4, unmatched: 2, roots: ['pkg:npm/shop@1'] } }),
        storedPayload(),
        ...listed,
      );
    spec
      .given(begun)
      .when({ ...fields, components: { parts: [], left: 0, unmatched: 0, roots: [] } }, facts())
      .thenRecords(reported({ components: { listed: 0, left: 0 } }), storedPayload());
  });

  it('with the report of a scanner records its findings in parts behind it, and how many are left out', () => {
    const finding = (id: string) => ({
      id,
      aliases: [],
      severity: null,
      title: '',
      published: null,
      package: null,
      fixedIn: [],
    });
    const parts = [[finding('CVE-1'), finding('CVE-2')], [finding('CVE-3')]];
    const listed = parts.map((findings) => ({ type: 'FindingsListed', version: 1, data: { findings } }) as const);
    const recorded = reported({ findings: { tool: 'Trivy', listed: 3, left: 4 } });
    spec
      .given(begun)
      .when({ ...fields, findings: { tool: 'Trivy', parts, left: 4 } }, facts())
      .thenRecords(recorded, storedPayload(), ...listed);
    expect(documentOf(recorded).findings).toBe(true);
    spec
      .given(begun)
      .when({ ...fields, findings: { tool: '', parts: [], left: 1 } }, facts())
      .thenRecords(reported({ findings: { tool: '', listed: 0, left: 1 } }), storedPayload());
    spec
      .given(begun)
      .when({ ...fields, findings: null }, facts())
      .thenRecords(reported(), storedPayload());
  });

  it('again is a record of its own that names the one before', () => {
    const newest = documentOf(reported({ id: 'n0' }));
    spec
      .given(begun, reported({ id: 'n0' }), storedPayload())
      .when(fields, facts({ newest }))
      .thenRecords(reported({ previous: 'n0' }), storedPayload());
  });

  it('of an artifact keeps the data of the report', () => {
    const target = {
      kind: 'artifact',
      fingerprint: A,
      artifactId: 'a1',
      filename: 'web.tar',
      template: 'web',
    } as const;
    spec
      .given(begun)
      .when({ ...fields, target: { kind: 'artifact', fingerprint: A } }, facts({ artifact: existing }))
      .thenRecords(reported({ target }), storedPayload());
  });

  it('of an artifact that the trail does not know is refused', () => {
    spec
      .given(begun)
      .when({ ...fields, target: { kind: 'artifact', fingerprint: A } }, facts())
      .thenRefuses({ kind: 'attested-artifact-unknown', fingerprint: A });
  });

  it('in an archived flow is refused', () => {
    spec
      .given(begun)
      .when(fields, facts({ flow: { ...shop, archived: true } }))
      .thenRefuses({ kind: 'flow-archived', name: 'shop' });
  });

  it('with a new name is refused above the limit of names; with an existing name it is not', () => {
    const full = facts({ limit: 1 });
    const first = reported({ id: 'n0' });
    spec.given(begun, first).when(fields, full).thenRefuses({ kind: 'too-many-attestations', limit: 1 });
    spec
      .given(begun, first)
      .when(fields, { ...full, newest: documentOf(first) })
      .thenRecords(reported({ previous: 'n0' }), storedPayload());
  });

  it('holds the trail to the template that its flow has now, unless it has its own', () => {
    const later = facts({ flow: { ...shop, templateId: 't2' } });
    spec
      .given(begun)
      .when(fields, later)
      .thenRecords(reported({ templateId: 't2' }), storedPayload());
    const own: TrailBegun = { ...begun, data: { ...begun.data, template: { yaml: 'version: 1\n' }, templateId: 't9' } };
    spec.given(own).when(fields, later).thenRecords(reported(), storedPayload());
  });

  describe('that overrides', () => {
    const override = { ...fields, type: 'override', original: 'generic' };
    const over = (data: Partial<AttestationReported['data']>) => reported({ type: 'override', ...data });

    it('without an earlier attestation counts as the type that it names', () => {
      spec
        .given(begun)
        .when(override, facts())
        .thenRecords(over({ countsAs: 'generic' }), storedPayload());
    });

    it('of an earlier attestation names it and counts as its type', () => {
      const overridden = documentOf(reported({ id: 'n0', compliant: false }));
      spec
        .given(begun)
        .when(override, facts({ overridden }))
        .thenRecords(over({ countsAs: 'junit', overriddenId: 'n0' }), storedPayload());
    });

    it('of an override names the attestation that the first override named', () => {
      const overridden = documentOf(reported({ id: 'n0', type: 'override', countsAs: 'snyk', overriddenId: 'n-1' }));
      spec
        .given(begun)
        .when(override, facts({ overridden }))
        .thenRecords(over({ countsAs: 'snyk', overriddenId: 'n-1' }), storedPayload());
    });
  });
});
