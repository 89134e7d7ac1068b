import type { StartDocument, Running } from '@assurance/contracts/environments/documents';
import type { Provenance } from '@assurance/contracts/flows/events';
import { provenance } from '@assurance/testing/deciders/samples';
import type { PreviousArtifact } from './facts';
import { previousArtifacts } from './flows-of';

type PreviousInput = Parameters<typeof previousArtifacts>[0];

/** An artifact that started in a snapshot. */
function runs(fingerprint: string, snapshot: number): Running {
  return { fingerprint, name: `${fingerprint}:${snapshot}`, instances: [0], since: at(snapshot), known: 1 };
}

function at(snapshot: number) {
  return { snapshot, at: 0, deployedAt: 0 };
}

/** The expected answer, computed by reading everything for each. */
function slowly(facts: PreviousInput, leaving: readonly Running[], artifacts: readonly Running[]): PreviousArtifact[] {
  return artifacts.flatMap(({ fingerprint, since: { snapshot } }) =>
    facts.provenanceOf(fingerprint).flatMap(({ flow, template }) => {
      const left = leaving.flatMap((leaver) =>
        facts
          .provenanceOf(leaver.fingerprint)
          .filter((from) => from.flow.id === flow.id && from.template === template)
          .map((from) => previousAs(leaver, from)),
      );
      const others = [...facts.ranBefore(flow.id, template ?? '', snapshot), ...left].filter(
        (start) => start.fingerprint !== fingerprint && start.since < snapshot,
      );
      const end = ({ until }: PreviousArtifact) => Math.min(until ?? snapshot, snapshot);
      const [first, ...rest] = others;
      if (template === null || first === undefined) return [];
      return rest.reduce<PreviousArtifact>((a, b) => ((end(b) - end(a) || b.since - a.since) > 0 ? b : a), first);
    }),
  );
}

function previousAs({ fingerprint, name, since }: Running, from: Provenance): PreviousArtifact {
  const { flow, template, gitCommit, commitUrl, trail } = from;
  return {
    fingerprint,
    name,
    flow: flow.id,
    template: template ?? '',
    gitCommit,
    commitUrl,
    trail,
    repo: null,
    since: since.snapshot,
    until: null,
  };
}

/** Whole numbers below a limit, the same for the same seed. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

describe('the artifact before', () => {
  it('is the same as when all departures are read, even if several left together', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const below = numbers(seed);
      const some = (count: number) => Array.from({ length: count }, () => runs(`artifact-${below(6)}`, 1 + below(5)));
      const provenanceOf = (fingerprint: string) =>
        ['web', 'api', null]
          .slice(0, 1 + (fingerprint.charCodeAt(9) % 3))
          .map((template) => provenance(fingerprint, { template }));
      const ran: StartDocument[] = some(below(5)).map((start) => ({
        ...previousAs(start, provenance(start.fingerprint)),
        environment: 'prod',
        instances: 1,
        until: below(2) === 0 ? null : start.since.snapshot + below(4),
      }));
      const facts: PreviousInput = {
        provenanceOf,
        ranBefore: (_flow, template, before) =>
          ran.filter((start) => start.template === template && start.since < before).sort((a, b) => b.since - a.since),
      };
      const [leaving, started] = [some(below(9)), some(below(9))];
      expect(previousArtifacts(facts, leaving, started)).toEqual(slowly(facts, leaving, started));
    }
  });

  it('takes steps in proportion to what starts and leaves, not to their product', () => {
    const stepsOf = (many: number) => {
      let steps = 0;
      // Each comparison of its snapshot is a step.
      const counted = (snapshot: number) => ({ valueOf: () => ((steps += 1), snapshot) }) as unknown as number;
      const all = (word: string, since: (i: number) => number) =>
        Array.from({ length: many }, (_, i) => runs(`${word}-${i}`, 0)).map((run, i) => ({
          ...run,
          since: at(counted(since(i))),
        }));
      const facts: PreviousInput = {
        provenanceOf: (fingerprint) => [provenance(fingerprint)],
        ranBefore: () => [],
      };
      previousArtifacts(
        facts,
        all('old', (i) => i % 1_000),
        all('new', () => 5_000),
      );
      return steps;
    };
    const [few, many] = [stepsOf(1_000), stepsOf(8_000)];
    expect(few).toBeGreaterThan(1_000);
    expect(many).toBeLessThan(few * 8 * 2);
  });
});
