import fc from 'fast-check';
import type { Running } from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import type { Verdict } from '@assurance/contracts/policies/events';
import {
  environmentCreated,
  factsAfter,
  fingerprintOf,
  environmentAfter,
  provenance,
} from '@assurance/testing/deciders/samples';
import { decideJudgeAgain, decideReport } from '../write/decide-in-slices';
import type { EnvironmentStandards } from './facts';
import { artifactsToRejudge } from './judge-again';
import { keyText } from './runs';

const NAMES = ['a', 'b', 'c'];
const POLICIES = ['p1', 'p2'];

/** Facts at a time: which artifacts satisfy which policy, the attached policies with versions, and the artifacts with new provenance. */
interface World {
  readonly fine: ReadonlySet<string>;
  readonly attached: readonly { id: string; name: string; version: number }[];
  readonly known: ReadonlySet<string>;
}

/** Called with each artifact that a verdict is requested for. */
type OnVerdict = (name: string) => unknown;

function judgingOf({ fine, attached }: World, onAsked: OnVerdict): EnvironmentStandards | null {
  if (attached.length === 0) return null;
  const verdictOf = ({ name }: { name: string }): Verdict => {
    onAsked(name);
    const policies = attached.map(({ id, version }) => {
      const compliant = fine.has(`${name} by ${id}@${version}`);
      return { policy: id, version, compliant, rules: [] };
    });
    const compliant = policies.every((verdict) => verdict.compliant);
    return { compliant, allowed: false, reasons: [], contexts: [], policies };
  };
  return { policies: attached, requireProvenance: false, heads: {}, verdictOf };
}

const factsOf = (past: readonly EnvironmentEvent[], world: World, onAsked: OnVerdict = () => undefined) => ({
  ...factsAfter(past, Object.fromEntries([...world.known].map((name) => [fingerprintOf(name), [provenance(name)]]))),
  environmentStandards: judgingOf(world, onAsked),
});

/** Applies a step to a history. */
type Step =
  | { readonly kind: 'report'; readonly names: readonly string[] }
  | { readonly kind: 'judge'; readonly names: readonly string[] | null }
  | { readonly kind: 'change'; readonly world: Partial<World> };

async function take(
  past: EnvironmentEvent[],
  step: Exclude<Step, { kind: 'change' }>,
  world: World,
  onAsked?: OnVerdict,
): Promise<number> {
  const state = environmentAfter(past);
  const facts = factsOf(past, world, onAsked);
  const decision =
    step.kind === 'report'
      ? await decideReport(
          state,
          {
            type: 'docker',
            artifacts: step.names.map((name) => ({ fingerprint: fingerprintOf(name), name, instances: [1] })),
          },
          facts,
        )
      : await decideJudgeAgain(
          state,
          artifactsToRejudge(state, { fingerprints: new Set((step.names ?? NAMES).map(fingerprintOf)) }, facts),
          facts,
        );
  if (decision.kind === 'events') past.push(...decision.events);
  return decision.kind === 'events' ? 1 : 0;
}

const subset = (items: readonly string[]) => fc.subarray([...items]).map((some) => new Set(some));
const VERSIONS = POLICIES.flatMap((id) => [1, 2].map((version) => `${id}@${version}`));
const world = fc.record(
  {
    fine: subset(NAMES.flatMap((name) => VERSIONS.map((version) => `${name} by ${version}`))),
    known: subset(NAMES),
    attached: fc
      .subarray(POLICIES)
      .chain((ids) =>
        fc.tuple(...ids.map((id) => fc.constantFrom(1, 2).map((version) => ({ id, name: id, version })))),
      ),
  },
  { requiredKeys: [] },
);
const steps = fc.array(
  fc.oneof(
    fc.subarray(NAMES).map((names): Step => ({ kind: 'report', names })),
    fc.option(fc.subarray(NAMES)).map((names): Step => ({ kind: 'judge', names })),
    world.map((change): Step => ({ kind: 'change', world: change })),
  ),
  { maxLength: 25 },
);

const outcomes = (running: readonly Running[]) =>
  Object.fromEntries(running.map((artifact) => [keyText(artifact), artifact.judged ?? null]));

it('any interleaving of evidence, attachments and reports ends in the present verdicts, after which judging again changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const past: EnvironmentEvent[] = [environmentCreated()];
      let now: World = { fine: new Set(), attached: [], known: new Set() };
      for (const step of all) {
        // Provenance is only ever added.
        if (step.kind === 'change')
          now = { ...now, ...step.world, known: new Set([...now.known, ...(step.world.known ?? [])]) };
        else await take(past, step, now);
      }
      const before = environmentAfter(past);
      // One check of all that runs makes at most one snapshot, whichever artifacts were marked.
      await take(past, { kind: 'judge', names: null }, now);
      expect(await take(past, { kind: 'judge', names: null }, now)).toBe(0);
      const { environment, running } = environmentAfter(past);
      expect(environment.snapshot - before.environment.snapshot).toBeLessThanOrEqual(1);
      if (environment.snapshot === 0) return;
      // The same as a first report to a new environment.
      const other: EnvironmentEvent[] = [environmentCreated()];
      await take(other, { kind: 'report', names: ['x'] }, now);
      await take(other, { kind: 'report', names: running.map(({ name }) => name) }, now);
      const fresh = environmentAfter(other);
      expect(outcomes(running)).toEqual(outcomes(fresh.running));
      const policies = (judged: typeof environment.judged) => judged?.policies.map(({ id, version }) => [id, version]);
      expect([environment.judged?.compliant, policies(environment.judged)]).toEqual([
        fresh.environment.judged?.compliant,
        policies(fresh.environment.judged),
      ]);
      expect(
        artifactsToRejudge({ running }, { fingerprints: new Set(NAMES.map(fingerprintOf)) }, factsOf(past, now)),
      ).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('asks for no verdict of the last snapshot again, unless the standards changed', async () => {
  const past: EnvironmentEvent[] = [environmentCreated()];
  /** The artifacts on which a verdict was asked for in a step. */
  const judgeStep = async (step: Exclude<Step, { kind: 'change' }>, version: number) => {
    const names = new Set<string>();
    const attached = [{ id: 'p1', name: 'p1', version }];
    await take(past, step, { fine: new Set(), attached, known: new Set() }, (name) => names.add(name));
    return [...names].sort();
  };
  expect(await judgeStep({ kind: 'report', names: ['a', 'b'] }, 1)).toEqual(['a', 'b']);
  expect(await judgeStep({ kind: 'report', names: ['a', 'b', 'c'] }, 1)).toEqual(['c']);
  expect(await judgeStep({ kind: 'report', names: ['a', 'b'] }, 1)).toEqual([]);
  expect(await judgeStep({ kind: 'judge', names: ['b'] }, 1)).toEqual(['b']);
  expect(await judgeStep({ kind: 'report', names: ['a', 'b', 'c'] }, 2)).toEqual(['a', 'b', 'c']);
});
