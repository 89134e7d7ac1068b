interface Reason {
  readonly text: string;
  /** Names of the policies with this reason; empty if the environment itself gives it. */
  readonly policies: readonly string[];
}

/** How the API names the policy in a reason. */
const OF_POLICY = /^policy '([^']+)': (.+)$/s;

/** The reasons in their order. Each is listed once, with its policies. */
export function byText(reasons: readonly string[]): readonly Reason[] {
  const policies = new Map<string, Set<string>>();
  for (const reason of reasons) {
    const [, policy, text = reason] = OF_POLICY.exec(reason) ?? [];
    const names = policies.get(text) ?? new Set();
    policies.set(text, policy === undefined ? names : names.add(policy));
  }
  return [...policies].map(([text, names]) => ({ text, policies: [...names] }));
}
