import { ORDERS, sorted } from './order-figures';

const spread = (p50: number) => ({ count: 1, mean: p50, p10: p50, p25: p50, p50, p75: p50, p90: p50 });
const row = (name: string, deployments: number, rollbacks: number, p50: number | null) => {
  const figures = {
    deployments,
    rollbacks,
    change_failure_rate: deployments === 0 ? null : rollbacks / deployments,
    lead_time: p50 === null ? null : spread(p50),
  };
  return { name, id: null, ...figures, before: figures };
};
const ROWS = [row('a', 4, 1, 60), row('b', 0, 0, null), row('c', 9, 0, 30), row('d', 4, 2, null)];

describe('the order of figures', () => {
  it.each([
    ['', 'abcd'],
    ['deployments', 'cadb'],
    ['fewest', 'badc'],
    ['slowest', 'acbd'],
    ['fastest', 'cabd'],
    ['failures', 'dacb'],
    ['odd', 'abcd'],
  ])('by %j is %s: what is unknown comes last', (order, names) => {
    expect(
      sorted(ROWS, order)
        .map(({ name }) => name)
        .join(''),
    ).toBe(names);
  });

  it('is offered for each that there is', () => {
    expect(ORDERS.map(([name]) => name)).toEqual(['', 'deployments', 'fewest', 'slowest', 'fastest', 'failures']);
  });
});
