import type { RunningArtifact } from '@assurance/contracts/environments/events';
import type { FailureCause } from '@assurance/contracts/policies/answers/decision';
import type { PolicyVerdict, Resolution, RuleVerdict } from '@assurance/contracts/policies/events';
import { canonicalJson, mapInSlices, sha256 } from '@assurance/kernel';
import { rulesAnswer, type VersionOf } from '@assurance/policies/read/policies/decisions';

/** Why an artifact does not comply: a rule of a policy, and how it fails. */
interface Cause {
  readonly policy: string;
  readonly version: number;
  /** Index in the results of the policy. */
  readonly rule: number;
  /** Null if no flow knows the artifact. */
  readonly resolution: Resolution | null;
}

type JudgedFields = Pick<RunningArtifact, 'compliant' | 'verdict'>;

/** Resolutions that are no failure. */
const FINE: ReadonlySet<Resolution> = new Set(['rule_satisfied', 'rule_not_applicable']);

/** The causes for which an artifact does not comply; none where it complies or nothing judges it. */
function causesOf({ compliant, verdict }: JudgedFields): readonly Cause[] {
  if (compliant !== false || verdict === undefined) return [];
  return verdict.policies.flatMap(({ policy, version, rules }: PolicyVerdict) =>
    rules.flatMap((result, rule) =>
      failuresOf(result).map((resolution): Cause => ({ policy, version, rule, resolution })),
    ),
  );
}

function failuresOf({ satisfied, resolutions }: RuleVerdict): readonly (Resolution | null)[] {
  if (satisfied !== false) return [];
  const failures = new Set(resolutions.filter((resolution) => !FINE.has(resolution)));
  return failures.size === 0 ? [null] : [...failures];
}

/** A cause as the filter of a list names it: the same in all snapshots that a version of a policy judged. */
const keyOf = ({ policy, version, rule, resolution }: Cause): string =>
  [policy, version, rule, resolution ?? 'unknown'].join('.');

/** The key of a way to fail; null where nothing is known of the policy. */
type FailureOf = (cause: Cause) => string | null;

/** The ways to fail by their causes: what two policies demand in the same words is one. Each cause is looked at once. */
function failuresBy(versionOf: VersionOf): FailureOf {
  const failures = new Map<string, string | null>();
  return (cause) => {
    const key = keyOf(cause);
    const cached = failures.get(key);
    if (cached !== undefined) return cached;
    const rule = ruleOf(cause, versionOf);
    const failure = rule === undefined ? null : failureKey(rule, cause.resolution);
    failures.set(key, failure);
    return failure;
  };
}

function ruleOf({ policy, version: number, rule }: Cause, versionOf: VersionOf): FailureCause['rule'] | undefined {
  const version = versionOf(policy, number);
  return version && rulesAnswer(version)[rule];
}

function failureKey({ type, definition }: FailureCause['rule'], resolution: Resolution | null): string {
  if (resolution === null) return 'unknown';
  if (!('must_be_compliant' in definition)) return `${resolution}.${type}`;
  const { if: _, ...demand } = definition;
  return `${resolution}.${sha256(canonicalJson(demand)).slice(0, 16)}`;
}

/** Whether artifacts fail for the cause, or in the way, with this key. */
export function failingFor(key: string, versionOf: VersionOf): (artifact: JudgedFields) => boolean {
  const failureOf = failuresBy(versionOf);
  return (artifact) => causesOf(artifact).some((cause) => keyOf(cause) === key || failureOf(cause) === key);
}

/** The causes of all failures among artifacts with the number of artifacts, the most frequent one first. */
export async function failureCauses(artifacts: readonly JudgedFields[], versionOf: VersionOf): Promise<FailureCause[]> {
  const failureOf = failuresBy(versionOf);
  const counts = new Map<string, { readonly cause: Cause; count: number }>();
  const failureCounts = new Map<string, number>();
  await mapInSlices(artifacts, (artifact) => {
    const failures = new Set<string>();
    for (const cause of causesOf(artifact)) {
      const key = keyOf(cause);
      const causeCount = counts.get(key) ?? { cause, count: 0 };
      causeCount.count += 1;
      counts.set(key, causeCount);
      failures.add(failureOf(cause) ?? '');
    }
    for (const failure of failures) failureCounts.set(failure, (failureCounts.get(failure) ?? 0) + 1);
  });
  return [...counts]
    .sort(([a, first], [b, second]) => second.count - first.count || (a < b ? -1 : 1))
    .flatMap(([key, { cause, count }]) => {
      const rule = ruleOf(cause, versionOf);
      const failure = failureOf(cause);
      if (rule === undefined || failure === null) return [];
      const policy_name = versionOf(cause.policy, cause.version)?.name ?? '';
      const failure_count = failureCounts.get(failure) ?? 0;
      return [{ key, policy_name, rule, resolution: cause.resolution, count, failure, failure_count }];
    });
}
