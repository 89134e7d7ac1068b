import type { ArtifactReported, Provenance, TrailBegun, TrailEvent } from '@assurance/contracts/flows/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { metaAt, replayOf } from '@assurance/testing/deciders/replay';
import { commitAt, fingerprintOf, repoNamed } from '@assurance/testing/deciders/samples';
import type { ProvenanceDocument } from './provenance';
import {
  decideReportArtifact,
  decideReportArtifactInTrail,
  type ReportArtifact,
  type ReportArtifactFacts,
} from './report-artifact';
import { looseArtifact, trail } from './trail';

const A = fingerprintOf('a');
const shop = { id: 'f1', name: 'shop', templateId: 't1', archived: false };
const archived = { flow: { ...shop, archived: true } };
const flowArchived = { kind: 'flow-archived', name: 'shop' } as const;
const input = {
  fingerprint: A,
  filename: 'web.tar',
  gitCommit: 'c'.repeat(40),
  trail: 'build-1',
  template: 'web',
  commit: commitAt(1000),
  commitUrl: 'https://c/1',
  buildUrl: null,
  externalUrls: { log: { href: 'https://log' } },
  annotations: { tool: 'make' },
} as const;
const facts = (fields: Partial<ReportArtifactFacts> = {}): ReportArtifactFacts => ({
  flow: shop,
  repo: repoNamed('shop'),
  provenance: null,
  artifactId: 'a1',
  at: 5,
  ...fields,
});
const { fingerprint: _fingerprint, externalUrls, annotations, ...origin } = input;
const reportedFirst: Provenance = {
  ...origin,
  artifactId: 'a1',
  flow: { id: 'f1', name: 'shop' },
  repo: repoNamed('shop'),
  reportedAt: 5,
};
/** The digest has no fixed value here. The cases without a change show that it distinguishes reports. */
const reported = (provenance: Provenance, first: Provenance | null = null): ArtifactReported => ({
  type: 'ArtifactReported',
  version: 1,
  data: {
    fingerprint: A,
    provenance,
    first,
    reported: expect.stringMatching(/^[0-9a-f]{64}$/),
    externalUrls,
    annotations,
  },
});

/** Returns the document after the events of a stream. */
function knownAfter(...events: readonly ArtifactReported[]): ProvenanceDocument | null {
  let provenance: ProvenanceDocument | null = null;
  for (const [index, event] of events.entries()) {
    const meta = metaAt('artifact', index + 1, { key: `f1/${A}` });
    const state = looseArtifact.evolve(null, event, meta);
    for (const { doc } of looseArtifact.inlineProjections?.(state, event, meta, null) ?? [])
      provenance = doc as ProvenanceDocument;
  }
  return provenance;
}

function recorded(report: ReportArtifact, fields: ReportArtifactFacts): ArtifactReported {
  const decision = decideReportArtifact(report, fields);
  if (decision.kind !== 'events') throw new Error('nothing was recorded');
  return decision.events[0];
}

describe('an artifact reported to a flow', () => {
  const spec = deciderSpec({
    replay: replayOf(looseArtifact, { key: `f1/${A}` }),
    decide: (_state, report: ReportArtifact, fields: ReportArtifactFacts) => decideReportArtifact(report, fields),
  });
  const first = recorded(input, facts());
  const provenance = knownAfter(first);
  const later = { provenance, artifactId: 'a2', at: 9 };

  it('is recorded with its flow, repository and time', () => {
    spec.given().when(input, facts()).thenRecords(reported(reportedFirst));
  });

  it('without a trail, template, commit and repository is recorded all the same', () => {
    const bare = { trail: null, template: null, commit: null, commitUrl: null };
    spec
      .given()
      .when({ ...input, ...bare }, facts({ repo: null }))
      .thenRecords(reported({ ...reportedFirst, ...bare, repo: null }));
  });

  it('is refused by a flow that is archived, what is known too', () => {
    spec.given().when(input, facts(archived)).thenRefuses(flowArchived);
    spec
      .given(first)
      .when(input, facts({ ...later, ...archived }))
      .thenRefuses(flowArchived);
  });

  it('again with the same data changes nothing, at whatever time', () => {
    spec
      .given(first)
      .when({ ...input }, facts(later))
      .thenNothing();
  });

  it.each<[string, Partial<ReportArtifact>]>([
    ['filename', { filename: 'other.tar' }],
    ['git commit', { gitCommit: 'd'.repeat(40) }],
    ['commit info', { commit: commitAt(2000) }],
    ['build', { buildUrl: 'https://ci/2' }],
    ['template name', { template: 'site' }],
  ])('again with another %s is a new event that keeps its id and what was said first', (_what, other) => {
    spec
      .given(first)
      .when({ ...input, ...other }, facts(later))
      .thenRecords(reported({ ...reportedFirst, ...other, reportedAt: 9 }, reportedFirst));
  });

  it('again with other links, notes or repository is a new event too', () => {
    const links = recorded({ ...input, externalUrls: {} }, facts(later));
    expect(links.data).toMatchObject({ externalUrls: {}, first: reportedFirst });
    expect(recorded({ ...input, annotations: {} }, facts(later)).data.annotations).toEqual({});
    expect(recorded(input, facts({ ...later, repo: repoNamed('other') })).data.provenance.repo).toEqual(
      repoNamed('other'),
    );
  });

  it('of a repository that was renamed changes nothing', () => {
    spec
      .given(first)
      .when(input, facts({ ...later, repo: { ...repoNamed('shop'), name: 'acme/renamed' } }))
      .thenNothing();
  });

  it('keeps the first report through any number of reports; the latest decides whether a report is equal', () => {
    const second = recorded({ ...input, filename: 'two' }, facts(later));
    const state = knownAfter(first, second);
    expect(state).toMatchObject({ first: reportedFirst, reported: second.data.reported });
    spec
      .given(first, second)
      .when({ ...input, filename: 'two' }, facts({ provenance: state, at: 12 }))
      .thenNothing();
    spec
      .given(first, second)
      .when(input, facts({ provenance: state, at: 12 }))
      .thenRecords(reported({ ...reportedFirst, reportedAt: 12 }, reportedFirst));
  });
});

describe('an artifact reported in a trail', () => {
  const replayTrail = replayOf(trail, { key: 'f1/build-1' });
  const spec = deciderSpec({
    replay: (events: readonly TrailEvent[]) => replayTrail(events),
    decide: (state, report: typeof input, fields: ReportArtifactFacts) =>
      decideReportArtifactInTrail(state, report, fields),
  });
  const begun: TrailBegun = {
    type: 'TrailBegun',
    version: 1,
    data: { flow: { id: 'f1', name: 'shop' }, name: 'build-1', templateId: 't1', commit: null },
  };

  it('that does not exist yet begins the trail', () => {
    spec.given().when(input, facts()).thenRecords(begun, reported(reportedFirst));
  });

  it('in a trail that began is one event', () => {
    spec.given(begun).when(input, facts()).thenRecords(reported(reportedFirst));
  });

  it('again changes nothing', () => {
    const first = recorded(input, facts());
    spec
      .given(begun, first)
      .when(input, facts({ provenance: knownAfter(first), at: 9 }))
      .thenNothing();
  });
});
