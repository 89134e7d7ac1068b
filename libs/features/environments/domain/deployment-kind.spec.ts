import type { DeploymentKind } from '@assurance/contracts/environments/events';
import { deploymentKind, isCounted, type Starts } from './deployment-kind';

const starts = (first: number, last = first): Starts => ({
  first: { snapshot: first, deployedAt: 10 * first },
  last: { snapshot: last, deployedAt: 10 * last },
});

describe('the kind of a deployment', () => {
  it.each<[DeploymentKind, string, boolean, Starts | null, Starts | null]>([
    ['baseline', 'what the first report shows, whatever ran before', true, starts(1), starts(2)],
    ['first', 'what never ran here', false, null, starts(2)],
    ['restart', 'what returns alone', false, starts(1), null],
    ['restart', 'what returns after others that started before its own last start', false, starts(1, 4), starts(2, 3)],
    ['rollback', 'what returns after one that came to the environment later', false, starts(1), starts(2)],
    ['redeployment', 'what returns after one that came earlier', false, starts(2), starts(1, 3)],
  ])('is %s for %s', (kind, _what, isBaseline, own, predecessor) => {
    expect(deploymentKind(isBaseline, own, predecessor)).toBe(kind);
  });

  it('orders the starts of one snapshot by time', () => {
    const at = (deployedAt: number): Starts => {
      const start = { snapshot: 1, deployedAt };
      return { first: start, last: start };
    };
    expect(deploymentKind(false, at(5), at(6))).toBe('rollback');
    expect(deploymentKind(false, at(6), at(5))).toBe('restart');
    expect(deploymentKind(false, at(5), at(5))).toBe('restart');
  });

  it('is counted unless it brings nothing new', () => {
    const kinds = ['baseline', 'first', 'restart', 'rollback', 'redeployment'] as const;
    expect(kinds.filter(isCounted)).toEqual(['first', 'rollback', 'redeployment']);
  });
});
