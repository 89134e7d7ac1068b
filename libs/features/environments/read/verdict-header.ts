import type { AssertAnswer } from '@assurance/contracts/policies/answers/decision';
import type { AssertBy } from './assert';

type Verdict = 'compliant' | 'non-compliant' | 'not-judged' | 'not-recorded';

/** The verdict on an artifact that was recorded. */
export function verdictWord({ compliant, is_judged }: Pick<AssertAnswer, 'compliant' | 'is_judged'>): Verdict {
  const judged = compliant ? 'compliant' : 'non-compliant';
  return is_judged ? judged : 'not-judged';
}

/**
 * The header `X-Assurance-Verdict`, for gates that do not read JSON: the verdict, and what the request asked about, so that a gate can tell that
 * the answer is to its own question. Names stand as in the request, percent-encoded; names of ours need no encoding.
 *
 * @returns such as `compliant; sha256=<fingerprint>; environment=production`
 */
export function verdictHeader(
  verdict: Verdict,
  fingerprint: string,
  { environment, flow, policies }: AssertBy,
): string {
  const subject = [
    ['sha256', fingerprint],
    ['environment', environment],
    ['flow', flow],
    ...policies.map((name) => ['policy', name]),
  ].flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`]));
  return [verdict, ...subject].join('; ');
}
