import { worstVerdict } from './worst-verdict';

const place = (environment_name: string, compliant: boolean | null) => ({ environment_name, compliant });

describe('the worst verdict where an artifact runs', () => {
  it.each([
    ['a refusal', [place('b', false), place('c', true), place('a', false), place('d', null)], false, ['a', 'b']],
    ['none, where one environment judges nothing', [place('a', true), place('b', null)], null, ['b']],
    ['compliance, where all comply', [place('a', true), place('a', true)], true, ['a']],
  ])('is %s', (_what, running, compliant, environments) => {
    expect(worstVerdict(running)).toEqual({ compliant, environments });
  });

  it('is nothing where it runs nowhere', () => expect(worstVerdict([])).toBeNull());
});
