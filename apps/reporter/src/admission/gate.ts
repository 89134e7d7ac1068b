import { setTimeout as sleep } from 'node:timers/promises';
import type { AdmissionSettings } from '../config';
import { type HttpAnswer, type Network, retryAfterMs, sendRequest } from '../http';
import { acceptsName } from '../name-filter';
import { keyFrom, sentenceOf, serviceUrl } from '../service';
import { addedImages, type AdmissionRequest } from './images';
import {
  ADMITTED,
  decide,
  type Decision,
  type Fault,
  MISCONFIGURED,
  type Question,
  refusal,
  type Verdict,
  verdictOf,
} from './verdict';

/** How many different images one request may bring. A pod with more is refused everywhere, so that no pod can use up the time or the rate. */
const MOST_IMAGES = 100;
/** How many questions of one request are under way. */
const QUESTIONS = 8;
/** The pause before a busy service is asked again, if it names none. */
const PAUSE_MS = 250;
/** No artifact has this digest. A gate that works answers that nobody recorded it. */
const NO_DIGEST = '0'.repeat(64);

type Env = Readonly<Record<string, string | undefined>>;

/** Decides reviews by asking the service about each digest. */
export class Gate {
  private readonly key: () => string;

  /** @param onFault is called for each question that got no verdict */
  constructor(
    private readonly url: string,
    private readonly settings: AdmissionSettings,
    private readonly network: Network,
    env: Env,
    private readonly onFault: (fault: Fault) => void,
  ) {
    this.key = keyFrom(settings.apiKeyFile, settings.apiKeyVariable, env);
  }

  async review(request: AdmissionRequest): Promise<Decision> {
    const { namespaces, failOpen } = this.settings;
    const namespace = request.namespace ?? '';
    if (!acceptsName(namespaces, namespace)) return ADMITTED;
    const images = addedImages(request);
    if (images.length > MOST_IMAGES) {
      return refusal(`The pod has ${images.length} different images, more than the ${MOST_IMAGES} that are judged.`);
    }
    // If the list is empty, no namespace fails open.
    const isOpen = failOpen.include.length + failOpen.includeRegex.length > 0 && acceptsName(failOpen, namespace);
    return decide(await this.verdictsOn(images), isOpen);
  }

  /** Asks about a digest that nobody has, to find out whether the gate gets verdicts at all. */
  async check(): Promise<Verdict> {
    return this.ask(NO_DIGEST, 'check', this.deadline());
  }

  private deadline(): Deadline {
    const { timeoutMs } = this.settings;
    return { signal: AbortSignal.timeout(timeoutMs), at: performance.now() + timeoutMs };
  }

  /** All verdicts, within the time of the settings. Names of one digest share a question. */
  private async verdictsOn(images: readonly string[]): Promise<readonly Verdict[]> {
    const verdicts: Verdict[] = [];
    const names = new Map<string, string[]>();
    for (const image of images) {
      const digest = /@sha256:([0-9a-f]{64})$/.exec(image)?.[1];
      if (digest !== undefined) names.set(digest, [...(names.get(digest) ?? []), image]);
      else verdicts.push({ kind: 'refused', reason: `${image} names no digest: deploy it as …@sha256:…` });
    }
    if (verdicts.length > 0) return verdicts;
    const deadline = this.deadline();
    const questions = names.entries();
    const askAll = async () => {
      for (const [digest, [image = '', ...others]] of questions) {
        const shown = others.length === 0 ? image : `${image} and ${others.length} more names of it`;
        verdicts.push(await this.ask(digest, shown, deadline));
      }
    };
    await Promise.all(Array.from({ length: QUESTIONS }, askAll));
    return verdicts;
  }

  private async ask(digest: string, image: string, deadline: Deadline): Promise<Verdict> {
    const verdict = await this.answered({ image, digest, environment: this.settings.environment }, deadline);
    if (verdict.kind === 'unknown') this.onFault(verdict.fault);
    return verdict;
  }

  private async answered(question: Question, { signal, at }: Deadline): Promise<Verdict> {
    const { organization, environment, allowUnjudged, timeoutMs } = this.settings;
    const unknown = (fault: Fault, why: string): Verdict => ({
      kind: 'unknown',
      fault,
      reason: `${question.image}: ${why}`,
    });
    const late = `not answered within ${timeoutMs / 1_000} s`;
    if (signal.aborted) return unknown('unasked', late);
    const key = this.keyOrReason();
    if ('reason' in key) return unknown('misconfigured', `${MISCONFIGURED}. ${key.reason}`);
    const url = serviceUrl(
      { url: this.url },
      `asserts/${encodeURIComponent(organization)}/fingerprint/${question.digest}`,
    );
    url.searchParams.set('environment_name', environment);
    const request = { method: 'GET', url, headers: key.headers, network: this.network, timeoutMs } as const;
    try {
      for (let pause = PAUSE_MS; ; pause *= 2) {
        const answer = await sendRequest(request, signal);
        const waitMs = busyMs(answer, pause);
        if (waitMs === null || performance.now() + waitMs >= at) return verdictOf(question, answer, allowUnjudged);
        await sleep(waitMs, undefined, { signal });
      }
    } catch (fault) {
      return unknown('unavailable', signal.aborted ? late : sentenceOf(fault));
    }
  }

  private keyOrReason() {
    try {
      return { headers: { authorization: `Bearer ${this.key()}` } };
    } catch (fault) {
      return { reason: sentenceOf(fault) };
    }
  }
}

/** The time of one review. */
interface Deadline {
  readonly signal: AbortSignal;
  /** In milliseconds of `performance.now()`. */
  readonly at: number;
}

/** When a service that is busy may be asked again (milliseconds); null: the answer stays. Only the service itself names a time with 503. */
function busyMs({ status, headers }: HttpAnswer, pauseMs: number): number | null {
  const namedMs = retryAfterMs(headers);
  if (status !== 429 && (status !== 503 || namedMs === null)) return null;
  return Math.max(pauseMs, namedMs ?? 0);
}
