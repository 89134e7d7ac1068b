import { worstVerdict } from './worst-verdict';

it.each([
  [[], null],
  [[true], true],
  [[true, null], null],
  [[null, true, false], false],
])('the worst of the verdicts %j is %j', (verdicts, worst) => {
  expect(worstVerdict(verdicts)).toBe(worst);
});
