import type { RunningArtifact } from '@assurance/contracts/environments/events';
import type { FailureCause } from '@assurance/contracts/policies/answers/decision';
import type { PolicyVerdict, Resolution, RuleVerdict } from '@assurance/contracts/policies/events';
import { mapInSlices } from '@assurance/kernel';
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

/** Resolutions that are no failure. */
const FINE: ReadonlySet<Resolution> = new Set(['rule_satisfied', 'rule_not_applicable']);

/** The causes for which an artifact does not comply; none where it complies or nothing judges it. */
function causesOf({ compliant, verdict }: Pick<RunningArtifact, 'compliant' | 'verdict'>): readonly Cause[] {
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

/** Whether an artifact fails for the cause with this key. */
export function failsFor(artifact: Pick<RunningArtifact, 'compliant' | 'verdict'>, key: string): boolean {
  return causesOf(artifact).some((cause) => keyOf(cause) === key);
}

/** The causes of all failures among artifacts with the number of artifacts, the most frequent one first. */
export async function failureCauses(
  artifacts: readonly Pick<RunningArtifact, 'compliant' | 'verdict'>[],
  versionOf: VersionOf,
): Promise<FailureCause[]> {
  const counts = new Map<string, { readonly cause: Cause; count: number }>();
  await mapInSlices(artifacts, (artifact) => {
    for (const cause of causesOf(artifact)) {
      const key = keyOf(cause);
      const counted = counts.get(key) ?? { cause, count: 0 };
      counted.count += 1;
      counts.set(key, counted);
    }
  });
  return [...counts]
    .sort(([a, first], [b, second]) => second.count - first.count || (a < b ? -1 : 1))
    .flatMap(([key, { cause, count }]) => {
      const version = versionOf(cause.policy, cause.version);
      const rule = version && rulesAnswer(version)[cause.rule];
      return rule === undefined
        ? []
        : [{ key, policy_name: version?.name ?? '', rule, resolution: cause.resolution, count }];
    });
}
