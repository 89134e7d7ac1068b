import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import { pausingDeciderSpec } from '@assurance/testing/deciders/decider-spec';
import {
  environmentCreated,
  factsAfter,
  fingerprintOf,
  type ProvenanceByFingerprint,
  environmentAfter,
  provenance,
  repoNamed,
} from '@assurance/testing/deciders/samples';
import { decideReport } from '../write/decide-in-slices';
import type { ReportFacts } from './facts';
import { requiredStarts } from './kinds';

const prod = pausingDeciderSpec({ replay: environmentAfter, decide: decideReport });
const shop = repoNamed('shop');
/** Artifacts of one line by letter; `x` to `z` have no provenance, `l` is of the legacy form. */
const KNOWN: ProvenanceByFingerprint = Object.fromEntries(
  ['a', 'b', 'c', 'l'].map((letter) => [
    fingerprintOf(letter),
    [provenance(letter, { repo: shop, ...(letter === 'l' ? { template: null } : {}) })],
  ]),
);
const artifactsOf = (letters: string) =>
  [...letters].map((letter) => ({ fingerprint: fingerprintOf(letter), name: `shop/web:${letter}`, instances: [0] }));

/** The facts of a look-up that goes through a number of starts, newest first, and of the further look-ups of first starts. */
function cutFacts(past: readonly EnvironmentEvent[], letters: string, limit: number): ReportFacts {
  const facts = factsAfter(past, KNOWN);
  const cut = {
    ...facts,
    ranBefore: (...place: Parameters<ReportFacts['ranBefore']>) => facts.ranBefore(...place).slice(0, limit),
  };
  const ran = facts.ranBefore('flow-shop', 'web', Infinity);
  const firstStart = (fingerprint: string) => ran.findLast((start) => start.fingerprint === fingerprint)?.since ?? null;
  const { snapshot } = environmentAfter(past).environment;
  const expected = requiredStarts(cut, artifactsOf(letters), snapshot + 1);
  return {
    ...cut,
    firstStart: (fingerprint) => (expected.has(fingerprint) ? firstStart(fingerprint) : undefined),
  };
}

async function decided(past: readonly EnvironmentEvent[], letters: string, limit: number) {
  const report = { type: 'docker', artifacts: artifactsOf(letters) } as const;
  const decision = await decideReport(environmentAfter(past), report, cutFacts(past, letters, limit));
  if (decision.kind !== 'events') throw new Error('the report changes nothing');
  return decision.events;
}

/** The kinds of what starts with the last of some reports, each of which lists the letters that run. */
async function kindsAfter(reports: readonly string[], limit = 50): Promise<(string | undefined)[]> {
  const past: EnvironmentEvent[] = [environmentCreated()];
  for (const letters of reports.slice(0, -1)) past.push(...(await decided(past, letters, limit)));
  const [recorded] = await decided(past, reports.at(-1) ?? '', limit);
  return recorded.type === 'SnapshotRecorded'
    ? recorded.data.changes.filter(({ now }) => now > 0).map(({ kind }) => kind)
    : [];
}

describe('the kind that a report records for a started artifact', () => {
  it.each<[readonly string[], string | undefined, string]>([
    [['a'], 'baseline', 'it is in the first report'],
    [['x'], 'baseline', 'it is in the first report, wherever it comes from'],
    [['x', 'a'], 'first', 'it never ran, and what ran before has no provenance'],
    [['a', 'b'], 'first', 'it never ran'],
    [['a', '', 'a'], 'restart', 'nothing else ran since'],
    [['b', 'a', '', 'a'], 'restart', 'others ran only before its last start'],
    [['a', 'x', 'a'], 'restart', 'nothing of its line is known to have run since'],
    [['a', 'b', 'a'], 'rollback', 'what ran before it came later'],
    [['a', 'b', 'c', 'a'], 'rollback', 'the newest that ran before it came later'],
    [['a', 'b', 'a', 'b'], 'redeployment', 'it returns after what it had replaced'],
    [['a', 'ab', 'b', 'a'], 'rollback', 'the other came while it ran'],
    [['ab', '', 'a'], undefined, 'the order of starts of one snapshot decides'],
    [['a', 'bc', 'a'], undefined, 'several started last'],
    [['a', 'x'], undefined, 'it has no provenance'],
    [['a', 'l'], undefined, 'it has no template'],
  ])('%j: %s, as %s', async (reports, kind) => {
    expect(await kindsAfter(reports)).toEqual([kind]);
  });

  it.each([
    [['x', 'a', 'b', '', 'b', '', 'c'], 'first'],
    [['x', 'a', 'b', '', 'b', '', 'a'], 'rollback'],
    [['x', 'b', 'a', '', 'b', '', 'b', '', 'b', 'a'], 'redeployment'],
    [['x', 'a', '', 'a', '', 'a'], 'restart'],
  ] as const)('%j: %s, also where only the newest two starts are looked through', async (reports, kind) => {
    expect(await kindsAfter(reports, 2)).toEqual([kind]);
    expect(await kindsAfter(reports)).toEqual([kind]);
  });

  it('is the same for a report that repeats or is refused: none', async () => {
    const past = [environmentCreated(), ...(await decided([environmentCreated()], 'a', 50))];
    const facts = cutFacts(past, 'a', 50);
    await prod
      .given(...past)
      .when({ type: 'docker', artifacts: artifactsOf('a') }, facts)
      .thenNothing();
    await prod
      .given(...past)
      .when({ type: 'server', artifacts: artifactsOf('b') }, facts)
      .thenRefuses({ kind: 'environment-wrong-kind', expected: 'docker', actual: 'server' });
  });
});
