import type { PolicyRules, Verdict } from '@assurance/contracts/policies/events';
import type { TrailEvidence } from '@assurance/flows/domain/trail-evidence';
import { BytesCache } from '@assurance/kernel';
import type { Bill } from '@assurance/policies/domain/bill';
import { costOf, type RulesCost } from '@assurance/policies/domain/cost';
import { judge, type JudgedArtifact } from '@assurance/policies/domain/judge';
import { type ReadRules, readRules } from '@assurance/policies/domain/rules';

/** The size of a thread's cache of parsed policies, by the characters of their text. A short policy counts as `atLeast` characters. */
const REMEMBERED = { characters: 4_000_000, atLeast: 8_000 };

/** A version of a policy in the form that is sent to a thread. */
export interface SentPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** JSON text of its `PolicyRules`, because a text is copied to a thread fast. */
  readonly rules: string;
}

/** An artifact, with the facts that policies need to judge it. */
export interface ArtifactToJudge {
  readonly artifact: JudgedArtifact;
  /** The first report comes first. */
  readonly evidence: readonly TrailEvidence[];
  readonly allowed: boolean;
  /** Missing if no policy needs it. */
  readonly bill?: Bill;
}

/** Artifacts that one job judges by the same policies. */
export interface JudgeSlice {
  readonly policies: readonly SentPolicy[];
  readonly requireProvenance: boolean;
  readonly artifacts: readonly ArtifactToJudge[];
  /** How many characters the result may have. When it is full, the remaining artifacts are not judged. */
  readonly charactersMax: number;
}

/** The result of a slice. */
export interface JudgedSlice {
  /** The distinct outcomes of policies, as JSON text of `PolicyVerdict[]`. */
  readonly outcomes: readonly string[];
  /** How long it took (milliseconds). */
  readonly ms: number;
  /** One for each artifact, in order. `policies` is an index of `outcomes`. Null: not judged, because the result was too long. */
  readonly verdicts: readonly ((Omit<Verdict, 'policies'> & { readonly policies: number }) | null)[];
}

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

/** The cost of evaluating rules. @param rules JSON text of `PolicyRules` */
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
