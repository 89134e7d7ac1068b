import { type HttpAnswer, messageOf } from '../http';

/**
 * Why there is no verdict. `unjudged`: nothing judges artifacts in the environment. `unavailable`: the service gives no answer now. `unasked`: the
 * time ended before the question. `misconfigured`: no repetition helps, an administrator has to correct the webhook.
 */
export type Fault = 'unjudged' | 'unavailable' | 'unasked' | 'misconfigured';

/** The verdict of the service on one image. `unknown`: there is none. */
export type Verdict =
  | { readonly kind: 'compliant' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly fault: Fault; readonly reason: string };

export interface Decision {
  readonly allowed: boolean;
  readonly message: string;
  readonly warnings: readonly string[];
}

export const MISCONFIGURED = 'the gate is misconfigured';
export const ADMITTED: Decision = { allowed: true, message: '', warnings: [] };
export const refusal = (message: string): Decision => ({ allowed: false, message, warnings: [] });

/**
 * A refusal always counts. If images have no verdict, the namespace decides, unless the service answered for some and the time ended before the
 * rest: then the pod has too many images, and many images must not be a way past the gate.
 */
export function decide(verdicts: readonly Verdict[], failOpen: boolean): Decision {
  const refused = verdicts.filter((verdict) => verdict.kind === 'refused');
  const unknown = verdicts.filter((verdict) => verdict.kind === 'unknown');
  if (refused.length > 0) return refusal(reasonsOf(refused));
  const isAnswering = verdicts.some((verdict) => verdict.kind !== 'unknown' || verdict.fault === 'unjudged');
  const isTooMuch = isAnswering && unknown.some(({ fault }) => fault === 'unasked');
  if (unknown.length > 0 && (!failOpen || isTooMuch)) return refusal(reasonsOf(unknown));
  // Kubernetes cuts longer warnings.
  return { ...ADMITTED, warnings: unknown.map(({ reason }) => `not judged: ${reason}`.slice(0, 256)) };
}

const reasonsOf = (verdicts: readonly { readonly reason: string }[]) => verdicts.map(({ reason }) => reason).join('; ');

/** The image that a pod names, its digest, and the environment that judges it. */
export interface Question {
  readonly image: string;
  readonly digest: string;
  readonly environment: string;
}

/**
 * Converts the answer of the asserts API to a verdict. Only a header that names this digest and this environment is one, with the status that the
 * service gives to it, so that no page of a proxy or of another service passes for it.
 *
 * @param allowUnjudged whether an image is compliant where nothing judges it
 */
export function verdictOf(
  { image, digest, environment }: Question,
  { status, headers, text }: HttpAnswer,
  allowUnjudged: boolean,
): Verdict {
  const unknown = (fault: Fault, why: string): Verdict => ({ kind: 'unknown', fault, reason: `${image}: ${why}` });
  const refused = (reason: string): Verdict => ({ kind: 'refused', reason });
  const subject = `sha256=${digest}; environment=${environment}`;
  switch (`${status} ${headers['x-assurance-verdict']?.toString()}`) {
    case `200 compliant; ${subject}`:
      return { kind: 'compliant' };
    case `200 non-compliant; ${subject}`:
      return refused(`${image} is not compliant: ${htmlUrlOf(text)}`);
    case `404 not-recorded; ${subject}`:
      return refused(`${image}: ${messageOf(text)}`);
    case `200 not-judged; ${subject}`:
      return allowUnjudged ? { kind: 'compliant' } : unknown('unjudged', `nothing judges artifacts in ${environment}`);
  }
  const answer = `the service answers ${status}: ${messageOf(text)}`;
  if (status === 408 || status === 429 || status >= 500) return unknown('unavailable', answer);
  const remedy =
    status === 401 || status === 403
      ? 'Give apiKeyFile or apiKeyVariable a key that may read the organization'
      : `Check url, organization and environment: ${environment} must exist, and the service must be of the same version or later`;
  return unknown('misconfigured', `${MISCONFIGURED}. ${remedy} (there is no verdict, ${answer})`);
}

/** The page of the artifact; empty where the answer is no JSON. */
function htmlUrlOf(body: string): string {
  try {
    return String((JSON.parse(body) as { readonly html_url?: unknown }).html_url ?? '');
  } catch {
    return '';
  }
}
