interface Reason {
  readonly text: string;
  /** Names of the policies that give it; none where the environment itself does. */
  readonly policies: readonly string[];
}

/** As the API names the policy of a reason. */
const OF_POLICY = /^policy '([^']+)': (.+)$/s;

/** Reasons in their order, each once with the policies that give it. */
export function byText(reasons: readonly string[]): readonly Reason[] {
  const policies = new Map<string, Set<string>>();
  for (const reason of reasons) {
    const [, policy, text = reason] = OF_POLICY.exec(reason) ?? [];
    const some = policies.get(text) ?? new Set();
    policies.set(text, policy === undefined ? some : some.add(policy));
  }
  return [...policies].map(([text, some]) => ({ text, policies: [...some] }));
}
