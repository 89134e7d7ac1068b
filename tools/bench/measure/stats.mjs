/** A quantile of a sorted list. */
export function percentile(sorted, share) {
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

/** Median, minimum and maximum. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const median = sorted.length % 2 === 1 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1) };
}

/** Median, minimum and maximum of `of` over the rounds. Contenders are compared within a round, never across rounds. */
export function paired(rounds, of) {
  return spread(rounds.map(of));
}
