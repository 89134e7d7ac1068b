/** How many deployments were counted, and how many of them were rollbacks. */
interface CountedDeployments {
  readonly deployments: number;
  readonly rollbacks: number;
}

/** The change failure rate and its numbers: rollbacks divided by changes, which are first deployments and redeployments. */
export function failureRateOf({ deployments, rollbacks }: CountedDeployments) {
  const changes = deployments - rollbacks;
  const rate = changes === 0 ? null : Math.min(1, rollbacks / changes);
  return { changes, change_failure_rate: rate, source: 'rollbacks' as const };
}
