import { failureRateOf } from './failure-rate';

describe('the change failure rate', () => {
  it.each([
    ['without a deployment', 0, 0, null],
    ['of a change that was rolled back (N19)', 2, 1, 1],
    ['of a window with a rollback alone', 1, 1, null],
    ['is at most 1', 3, 2, 1],
    ['is a share of changes, not of deployments', 4, 1, 1 / 3],
    ['without a rollback', 3, 0, 0],
  ])('%s', (_what, deployments, rollbacks, rate) => {
    expect(failureRateOf({ deployments, rollbacks })).toEqual({
      changes: deployments - rollbacks,
      change_failure_rate: rate,
      source: 'rollbacks',
    });
  });
});
