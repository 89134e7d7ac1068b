import fc from 'fast-check';
import type { Aggregate } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { streams } from '@assurance/contracts/events/streams';
import type { AttestationReported, AttestationTarget } from '@assurance/contracts/evidence/events';
import type { ArtifactReported, FlowCreated, TrailBegun, TrailEvent } from '@assurance/contracts/flows/events';
import { flow } from '@assurance/flows/domain/flow';
import { trail } from '@assurance/flows/domain/trail';
import { readEvidence } from '@assurance/flows/lookups/evidence';
import { statusesOf } from '@assurance/flows/lookups/statuses';
import { fingerprintOf, provenance } from '@assurance/testing/deciders/samples';
import { temporaryEngines } from '../support/temporary-engines';

const ORG = 'acme';
const COMMIT = 'c'.repeat(40);
const template = {
  yaml: '',
  trail: {
    attestations: [{ name: 'review', type: 'generic' }],
    artifacts: [{ name: 'cli', attestations: [{ name: 'tests', type: 'generic' }] }],
  },
};

describe('what is known of an artifact', () => {
  const engines = temporaryEngines();
  let count = 0;

  /** Writes the documents of the events of a stream, as a commit does. */
  async function project<State extends object, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
    events: readonly Event[],
  ): Promise<void> {
    const { documents } = engines();
    let state: State | null = null;
    for (const [index, event] of events.entries()) {
      const meta = { org: ORG, stream, seq: index + 1, at: 1_000 + index, actor: 'ada' };
      const before: State | null = state;
      state = aggregate.evolve(before, event, meta);
      for (const { collection, id, doc } of aggregate.inlineProjections?.(state, event, meta, before) ?? []) {
        if (doc !== null) await documents.collection(collection).write([{ kind: 'forward', id, seq: meta.seq, doc }]);
      }
      const aggregateState = { ...state, seq: meta.seq, fold: aggregate.schemaVersion };
      await documents
        .collection(aggregate.states)
        .write([{ kind: 'forward', id: stream, seq: meta.seq, doc: aggregateState }]);
    }
  }

  /** A flow and a trail of it in which these things happened, and what is read of them. */
  async function after(events: (flowId: string) => readonly TrailEvent[], fingerprint: string) {
    const { documents } = engines();
    const id = `flow-${++count}`;
    const created: FlowCreated = {
      type: 'FlowCreated',
      version: 1,
      data: { id, name: id, description: '', visibility: 'private', template, templateId: `template-${id}` },
    };
    await project(flow, streams.flow(id), [created]);
    const stream = streams.trail(id, 'build-1');
    await project(trail, stream, events(id));
    const aggregateState = await documents.collection(trail.states).get(stream);
    if (aggregateState === null) throw new Error('the trail has no aggregate state');
    const status = (await statusesOf(documents, [aggregateState]))(aggregateState);
    return { status, evidence: (await readEvidence(documents, ORG, [fingerprint])).get(fingerprint) ?? [] };
  }

  const begun = (id: string): TrailBegun => ({
    type: 'TrailBegun',
    version: 1,
    data: { flow: { id, name: id }, name: 'build-1', templateId: `template-${id}`, commit: null },
  });
  const reported = (id: string, fingerprint: string): ArtifactReported => ({
    type: 'ArtifactReported',
    version: 1,
    data: {
      fingerprint,
      provenance: provenance('a', {
        flow: { id, name: id },
        trail: 'build-1',
        template: 'cli',
        gitCommit: COMMIT,
      }),
      first: null,
      reported: '',
      externalUrls: {},
      annotations: {},
    },
  });
  const attested = (id: string, target: AttestationTarget, name: string, compliant: boolean): AttestationReported => ({
    type: 'AttestationReported',
    version: 1,
    data: {
      id,
      name,
      type: 'generic',
      countsAs: 'generic',
      target,
      compliant,
      previous: null,
      overriddenId: null,
      typeVersion: null,
      control: null,
      commit: null,
      repo: null,
      originUrl: null,
      attachments: [],
    },
  });

  it('is independent of the order of report and attestations', async () => {
    const targetOf = (kind: string, fingerprint: string): AttestationTarget => {
      if (kind === 'trail') return { kind };
      if (kind === 'awaited') return { kind, template: 'cli', commit: COMMIT };
      return { kind: 'artifact', fingerprint, artifactId: 'a', filename: 'a', template: 'cli' };
    };
    const attestationInput = fc.record({
      kind: fc.constantFrom('trail', 'awaited', 'artifact'),
      name: fc.constantFrom('review', 'tests', 'more'),
      compliant: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(attestationInput, { maxLength: 6 }), fc.nat(6), fc.nat(6), async (all, here, there) => {
        const read = async (at: number) => {
          const fingerprint = fingerprintOf(`evidence-${++count}`);
          const { status, evidence } = await after((id) => {
            const events = all.map((fields, i) =>
              attested(`att-${i}`, targetOf(fields.kind, fingerprint), fields.name, fields.compliant),
            );
            return [begun(id), ...events.slice(0, at), reported(id, fingerprint), ...events.slice(at)];
          }, fingerprint);
          const [existing] = evidence;
          return {
            status: status.status,
            trail: status.attestations,
            artifact: { ...status.artifacts.get('cli'), fingerprint: null },
            judged: [evidence.length, existing?.artifactStatus, existing?.trailStatus],
            attestations: existing?.attestations.map(({ id }) => id),
          };
        };
        const first = await read(Math.min(here, all.length));
        expect(await read(Math.min(there, all.length))).toEqual(first);
        // The newest of a name decides, by hand.
        const newest = (name: string, ofTrail: boolean) =>
          all.findLast((fields) => fields.name === name && (fields.kind === 'trail') === ofTrail)?.compliant;
        const names = ['review', 'tests', 'more'];
        const states = [...names.map((name) => newest(name, true)), ...names.map((name) => newest(name, false))];
        const missing = newest('review', true) === undefined || newest('tests', false) === undefined;
        const expected = states.includes(false) ? 'NON-COMPLIANT' : missing ? 'INCOMPLETE' : 'COMPLIANT';
        expect([first.status, first.judged]).toEqual([expected, [1, expect.any(String), expected]]);
      }),
      { numRuns: 40, interruptAfterTimeLimit: 15_000 },
    );
  });

  it('is empty for an unreported artifact', async () => {
    expect(await readEvidence(engines().documents, ORG, [fingerprintOf('nobody')])).toEqual(new Map());
  });
});
