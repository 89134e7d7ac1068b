import type { TrailBegun, TrailEvent, TrailUpdated } from '@assurance/contracts/flows/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { commitAt, provenance, repoNamed } from '@assurance/testing/deciders/samples';
import { type BeginTrail, type BeginTrailFacts, decideBeginTrail } from './begin-trail';
import { type Trail, trail } from './trail';

const facts: BeginTrailFacts = {
  flow: { id: 'f1', name: 'shop', templateId: 't1', archived: false },
  templateId: 't2',
};
const template = { yaml: 'trail:\n  artifacts: [{name: web}]\n', trail: { attestations: [], artifacts: [] } };
const begun = (data: Partial<TrailBegun['data']> = {}): TrailBegun => ({
  type: 'TrailBegun',
  version: 1,
  data: { flow: { id: 'f1', name: 'shop' }, name: 'build-1', templateId: 't1', commit: null, ...data },
});
const updated = (data: TrailUpdated['data']): TrailUpdated => ({ type: 'TrailUpdated', version: 1, data });
const everything = {
  description: 'Tea',
  commit: commitAt(5),
  userData: { a: [1, null] },
  externalUrls: { log: { href: 'https://log' } },
  originUrl: 'https://ci/1',
  repo: repoNamed('shop'),
  template,
};
const spec = deciderSpec({
  replay: replayOf<Trail, TrailEvent>(trail, { key: 'f1/build-1' }),
  decide: (state: Trail | null, command: BeginTrail, at: BeginTrailFacts = facts) =>
    decideBeginTrail(state, command, at),
});

describe('beginning a trail', () => {
  it('records what was said, under the template of the flow', () =>
    spec
      .given()
      .when({ name: 'build-1', description: 'Tea' })
      .thenRecords(begun({ description: 'Tea' })));

  it('gives a template in the request its own id', () =>
    spec
      .given()
      .when({ name: 'build-1', ...everything })
      .thenRecords(begun({ ...everything, templateId: 't2' })));

  it('is refused in a flow that is archived', () =>
    spec
      .given()
      .when({ name: 'build-1' }, { ...facts, flow: { ...facts.flow, archived: true } })
      .thenRefuses({ kind: 'flow-archived', name: 'shop' }));
});

describe('beginning it again', () => {
  const before = begun({ ...everything, templateId: 't2' });

  it('with the same changes nothing', () =>
    spec
      .given(before)
      .when({ name: 'build-1', ...everything })
      .thenNothing());

  it('without settings keeps all', () => spec.given(before).when({ name: 'build-1' }).thenNothing());

  it('with a repository under another name of the same id changes nothing', () =>
    spec
      .given(before)
      .when({ name: 'build-1', repo: { ...repoNamed('shop'), name: 'acme/store' } })
      .thenNothing());

  it('records what changed and nothing else', () =>
    spec
      .given(before)
      .when({ name: 'build-1', ...everything, userData: null, originUrl: '' })
      .thenRecords(updated({ userData: null, originUrl: '' })));

  it('recognizes a change that an earlier event made', () =>
    spec
      .given(before, updated({ description: 'Coffee' }))
      .when({ name: 'build-1', description: 'Coffee' })
      .thenNothing());

  it('takes another template under another id', () =>
    spec
      .given(before)
      .when({ name: 'build-1', template: { yaml: 'version: 1\n' } }, { ...facts, templateId: 't3' })
      .thenRecords(updated({ template: { yaml: 'version: 1\n' }, templateId: 't3' })));

  it('adds to a trail that an artifact began', () =>
    spec
      .given(begun(), {
        type: 'ArtifactReported',
        version: 1,
        data: {
          fingerprint: 'a'.repeat(64),
          provenance: provenance('web'),
          first: null,
          reported: 'r',
          externalUrls: {},
          annotations: {},
        },
      })
      .when({ name: 'build-1', commit: commitAt(5), description: '' })
      .thenRecords(updated({ commit: commitAt(5) })));

  it('is refused once the flow is archived', () =>
    spec
      .given(before)
      .when({ name: 'build-1' }, { ...facts, flow: { ...facts.flow, archived: true } })
      .thenRefuses({ kind: 'flow-archived', name: 'shop' }));
});
