/** The worst of some verdicts: a refusal is worse than no verdict (null), which is worse than compliance. Null if there are none. */
export function worstVerdict(verdicts: readonly (boolean | null)[]): boolean | null {
  if (verdicts.includes(false)) return false;
  return verdicts.length === 0 || verdicts.includes(null) ? null : true;
}
