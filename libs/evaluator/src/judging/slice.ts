import type { PolicyRules, Verdict } from '@assurance/contracts/policies/events';
import type { TrailEvidence } from '@assurance/flows/domain/trail-evidence';
import { BytesCache } from '@assurance/kernel';
import type { Bill } from '@assurance/policies/domain/bill';
import { costOf, type RulesCost } from '@assurance/policies/domain/cost';
import { judge, type JudgedArtifact } from '@assurance/policies/domain/judge';
import { type ReadRules, readRules } from '@assurance/policies/domain/rules';

/** Of how many characters a thread remembers policies as they were read; a short one counts as if it were longer. */
const REMEMBERED = { characters: 4_000_000, atLeast: 8_000 };

/** A version of a policy on its way to a thread. */
export interface SentPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** JSON text of its `PolicyRules`: texts are copied to a thread at once. */
  readonly rules: string;
}

/** An artifact on its way to be judged. */
export interface ArtifactToJudge {
  readonly artifact: JudgedArtifact;
  /** First report first. */
  readonly evidence: readonly TrailEvidence[];
  readonly allowed: boolean;
  /** Left out where no policy asks for it. */
  readonly bill?: Bill;
}

/** Some artifacts that are judged by the same standards in one job. */
export interface JudgeSlice {
  readonly policies: readonly SentPolicy[];
  readonly requireProvenance: boolean;
  readonly artifacts: readonly ArtifactToJudge[];
  /** The most characters of what is answered: with more, the artifacts that are left are not judged. */
  readonly charactersMax: number;
}

/** The result of a slice. */
export interface JudgedSlice {
  /** The distinct outcomes of policies, as JSON text of `PolicyVerdict[]`. */
  readonly outcomes: readonly string[];
  /** How long it took (milliseconds). */
  readonly ms: number;
  /** One an artifact, in their order, `policies` being a place in `outcomes`; null: not judged, since the answer was too long. */
  readonly verdicts: readonly ((Omit<Verdict, 'policies'> & { readonly policies: number }) | null)[];
}

/** Judges a slice. */
export function judgeSlice({ policies, requireProvenance, artifacts, charactersMax }: JudgeSlice): JudgedSlice {
  const standards = {
    policies: policies.map(({ id, name, version, rules }) => ({ id, name, version, rules: rulesOf(rules) })),
    requireProvenance,
  };
  const began = performance.now();
  const outcomes = new Map<string, number>();
  let characters = 0;
  const verdicts = artifacts.map(({ artifact, evidence, allowed, bill }) => {
    if (characters > charactersMax) return null;
    const { policies: results, ...verdict } = judge(standards, artifact, evidence, allowed, bill);
    const text = JSON.stringify(results);
    const place = outcomes.get(text) ?? outcomes.size;
    characters += verdict.reasons.reduce((sum, reason) => sum + reason.length, outcomes.has(text) ? 0 : text.length);
    if (characters > charactersMax) return null;
    outcomes.set(text, place);
    return { ...verdict, policies: place };
  });
  return { outcomes: [...outcomes.keys()], ms: performance.now() - began, verdicts };
}

/** The cost of evaluating rules. */
export function estimateCost(rules: string): RulesCost {
  return costOf(rulesOf(rules));
}

const cache = new BytesCache<ReadRules>(REMEMBERED.characters, (_, text) => Math.max(REMEMBERED.atLeast, text.length));

function rulesOf(text: string): ReadRules {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const read = readRules(JSON.parse(text) as PolicyRules);
  cache.set(text, read);
  return read;
}
