import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import type { Provenance } from '@assurance/contracts/flows/events';
import type { Verdict } from '@assurance/contracts/policies/events';
import { pausingDeciderSpec } from '@assurance/testing/deciders/decider-spec';
import {
  change,
  commitAt,
  environmentCreated,
  factsAfter,
  fingerprintOf,
  type ProvenanceByFingerprint,
  environmentAfter,
  provenance,
  repoNamed,
  snapshotRecorded,
  timeAfter,
} from '@assurance/testing/deciders/samples';
import { artifactsToRejudgeInSlices, decideJudgeAgain } from '../write/decide-in-slices';
import type { JudgeAgain, JudgeAgainFacts } from './judge-again';
import type { EnvironmentState } from './snapshot-of';

const prod = pausingDeciderSpec({
  replay: environmentAfter,
  decide: async (state: EnvironmentState, ask: JudgeAgain, facts: JudgeAgainFacts) =>
    decideJudgeAgain(state, await artifactsToRejudgeInSlices(state.running, ask, facts), facts),
});
const [A, B] = ['a', 'b'].map(fingerprintOf) as [string, string];
const created = environmentCreated();
/** In the sample streams snapshot n is commit n + 1. */
const since = (snapshot: number) => ({ snapshot, at: timeAfter(snapshot) });
const flow = (from: Provenance, leadTime: number | null = null) => ({ ...from, leadTime, deploymentDiff: null });

/** Given these events, when this provenance is known now for these fingerprints. */
const knowing = (
  past: readonly EnvironmentEvent[],
  existing: ProvenanceByFingerprint,
  ...fingerprints: readonly string[]
) => prod.given(...past).when({ fingerprints: new Set(fingerprints) }, factsAfter(past, existing));

/** Before the first event, in epoch seconds. */
const T = 1_600_000_000;

describe('provenance that arrives', () => {
  const web = change('started', { fingerprint: A, name: 'web:1', since: since(1), instances: [T + 600, T + 700] });
  const api = change('started', { fingerprint: B, name: 'api:1', since: since(1) });
  const past = [created, snapshotRecorded(1, web, api)];
  const [first, second] = [provenance('a', { commit: commitAt(T) }), provenance('a', { trail: 'again' })];
  const again = (over: typeof web, ...flows: (typeof web)['flows']) =>
    change('updated-provenance', {
      ...over,
      change: 'updated-provenance',
      wholly: false,
      was: over.instances.length,
      now: over.instances.length,
      flows,
    });

  it('after its artifact had started makes a snapshot with all that is known now, and nothing else in it', async () => {
    await knowing(past, { [A]: [first] }, A).thenRecords(snapshotRecorded(2, again(web, flow(first, 600))));
    await knowing(past, { [A]: [first, second] }, A).thenRecords(
      snapshotRecorded(2, again(web, flow(first, 600), flow(second))),
    );
  });

  it('in another flow or trail makes one too', async () => {
    const existing = [created, snapshotRecorded(1, { ...web, flows: [flow(first, 600)] }, api)];
    await knowing(existing, { [A]: [first, second] }, A, B).thenRecords(
      snapshotRecorded(2, again(web, flow(first, 600), flow(second))),
    );
  });

  it('and was recorded already changes nothing', async () => {
    const existing = [...past, snapshotRecorded(2, again(web, flow(first, 600)))];
    await knowing(existing, { [A]: [first] }, A).thenNothing();
  });

  it('for an artifact that does not run, or stopped, changes nothing', async () => {
    await knowing(past, { [fingerprintOf('c')]: [first] }, fingerprintOf('c')).thenNothing();
    const exit = change('exited', { ...web, change: 'exited', was: 2, now: 0 });
    await knowing([...past, snapshotRecorded(2, exit)], { [A]: [first] }, A).thenNothing();
  });

  it('in an environment without a snapshot changes nothing', () =>
    knowing([created], { [A]: [first] }, A).thenNothing());

  it('but was not asked about changes nothing', () => knowing(past, { [A]: [first] }, B).thenNothing());

  it('in an archived environment is refused', async () => {
    const archived = { type: 'EnvironmentArchived', version: 1, data: {} } as const;
    await knowing([...past, archived], { [A]: [first] }, A).thenRefuses({
      kind: 'environment-archived',
      name: 'production',
    });
  });

  it('is recorded for every name of the fingerprint that lacks it, in order', async () => {
    const [firstStart, secondStart] = [
      change('started', { ...web, name: 'web:b', change: 'started' }),
      change('started', { ...web, name: 'web:a', change: 'started' }),
    ];
    await knowing([created, snapshotRecorded(1, firstStart, secondStart)], { [A]: [first] }, A).thenRecords(
      snapshotRecorded(2, again(secondStart, flow(first, 600)), again(firstStart, flow(first, 600))),
    );
    const started = change('started', { ...firstStart, flows: [flow(first, 600)], since: since(2), wholly: false });
    await knowing(
      [created, snapshotRecorded(1, secondStart), snapshotRecorded(2, started)],
      { [A]: [first] },
      A,
    ).thenRecords(snapshotRecorded(3, again(secondStart, flow(first, 600))));
  });

  it('names the artifact before it, not a later one', async () => {
    const shop = repoNamed('shop');
    const [ofA, ofB] = [provenance('a', { repo: shop }), provenance('b', { repo: shop })];
    const [before, after] = [
      change('started', { fingerprint: B, name: 'web:0', since: since(1), flows: [flow(ofB)] }),
      change('started', {
        fingerprint: fingerprintOf('c'),
        name: 'web:2',
        since: since(3),
        flows: [flow(provenance('c'))],
      }),
    ];
    const late = change('started', { fingerprint: A, name: 'web:1', since: since(2) });
    const three = [created, snapshotRecorded(1, before), snapshotRecorded(2, late), snapshotRecorded(3, after)];
    const { fingerprint, name } = before;
    const { gitCommit, commitUrl, trail, template } = ofB;
    const deploymentDiff = {
      diffUrl: `https://github.com/acme/shop/compare/${gitCommit}...${ofA.gitCommit}`,
      previous: { fingerprint, name, gitCommit, commitUrl, trail, template },
    };
    await knowing(three, { [A]: [ofA], [B]: [ofB] }, A).thenRecords(
      snapshotRecorded(4, again(late, { ...ofA, leadTime: null, deploymentDiff })),
    );
  });

  it('keeps the full state when that is due', async () => {
    const more = Array.from({ length: 66 }, (_, i) => flow(provenance('b', { trail: `t${i}` })));
    const updates = more.map((_, i) => snapshotRecorded(i + 2, again(api, ...more.slice(0, i + 1))));
    const [apiNow, webNow] = [again(api, ...more), again(web, flow(first, 600))];
    const artifacts = [apiNow, webNow].map(({ fingerprint, name, instances, since: began, flows, compliant }) => {
      return { fingerprint, name, instances, since: began, flows, compliant };
    });
    await knowing([...past, ...updates], { [A]: [first] }, A).thenRecords(snapshotRecorded(68, webNow), {
      type: 'SnapshotStateKept',
      version: 2,
      data: { snapshot: 68, artifacts: artifacts.sort((x, y) => (x.fingerprint < y.fingerprint ? -1 : 1)) },
    });
  });
});

describe('another verdict on an artifact that runs on', () => {
  const policies = [
    { id: 'p1', name: 'tests', version: 1 },
    { id: 'p2', name: 'review', version: 1 },
  ];
  const standards = { policies, requireProvenance: false, heads: {} };
  const web = change('started', { fingerprint: A, name: 'web:1', since: since(1) });

  /** The reason for a verdict, by the failing policies before and after, and by whether the artifact is allowed then. */
  async function reasonFor(
    before: { readonly compliant: boolean; readonly failing: readonly string[] },
    after: { readonly allowed: boolean; readonly failing: readonly string[] },
  ) {
    const first = snapshotRecorded(1, { ...web, ...before });
    const judged = { compliant: before.compliant, ...standards };
    const past = [created, { ...first, data: { ...first.data, judged } }];
    const { allowed, failing } = after;
    const verdictOf = (): Verdict => ({
      compliant: allowed || failing.length === 0,
      allowed,
      reasons: [],
      contexts: [],
      policies: policies.map(({ id, version }) => ({
        policy: id,
        version,
        compliant: !failing.includes(id),
        rules: [],
      })),
    });
    const facts = { ...factsAfter(past), environmentStandards: { ...standards, verdictOf } };
    const state = environmentAfter(past);
    const moved = await artifactsToRejudgeInSlices(state.running, { fingerprints: new Set([A]) }, facts);
    const decision = await decideJudgeAgain(state, moved, facts);
    if (decision.kind !== 'events') throw new Error(`expected events, not ${decision.kind}`);
    const [event] = decision.events;
    return event.type === 'SnapshotRecorded' ? event.data.changes.map(({ because }) => because) : event.type;
  }

  it('is by the allow-list where the artifact complies by it alone', async () => {
    const failing = ['p1'];
    expect(await reasonFor({ compliant: false, failing }, { allowed: true, failing })).toEqual(['allow-list']);
    expect(await reasonFor({ compliant: true, failing }, { allowed: false, failing })).toEqual(['allow-list']);
    // Evidence failed another policy, or the first one, and the allow-list alone keeps the artifact compliant.
    const allFailing = ['p1', 'p2'];
    expect(await reasonFor({ compliant: true, failing }, { allowed: true, failing: allFailing })).toEqual([
      'allow-list',
    ]);
    expect(await reasonFor({ compliant: true, failing: [] }, { allowed: true, failing })).toEqual(['allow-list']);
  });

  it('is by evidence where policies decide', async () => {
    const failing = ['p1'];
    expect(await reasonFor({ compliant: true, failing }, { allowed: true, failing: [] })).toEqual(['evidence']);
    expect(await reasonFor({ compliant: false, failing }, { allowed: false, failing: [] })).toEqual(['evidence']);
    expect(await reasonFor({ compliant: true, failing: [] }, { allowed: false, failing })).toEqual(['evidence']);
  });
});
