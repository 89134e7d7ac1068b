import type { JudgedIn, Verdict } from '@assurance/contracts-events';

/** The verdict on an artifact that would exceed the budget: non-compliant with this reason, unless it is on the allow-list. */
export function notJudged(
  policies: readonly { readonly id: string; readonly version: number }[],
  allowed: boolean,
  contexts: readonly JudgedIn[],
  why: string,
): Verdict {
  return {
    compliant: allowed,
    allowed,
    reasons: allowed ? [] : [`not judged: ${why}`],
    contexts,
    policies: policies.map(({ id, version }) => ({ policy: id, version, compliant: false, rules: [] })),
  };
}
