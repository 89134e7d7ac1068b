import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AdmissionSettings, Config } from './config';
import { sendRequest, messageOf, type Network } from './http';
import { acceptsName } from './name-filter';
import type { Log } from './reporter';
import { keyFrom, serviceUrl } from './service';

const LONGEST_REVIEW = 4 * 2 ** 20;

interface Container {
  readonly image?: string;
}

interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
}

/** The fields of an `admission.k8s.io/v1` `AdmissionReview` that the webhook reads. */
interface AdmissionRequest {
  readonly uid: string;
  readonly namespace?: string;
  readonly object?: {
    readonly spec?: PodSpec & {
      readonly template?: { readonly spec?: PodSpec };
      readonly jobTemplate?: { readonly spec?: { readonly template?: { readonly spec?: PodSpec } } };
    };
  };
}

/** The verdict of the service on one image. `unknown`: the service could not judge it. */
export type Verdict =
  { readonly kind: 'compliant' } | { readonly kind: 'refused' | 'unknown'; readonly reason: string };

interface Decision {
  readonly allowed: boolean;
  readonly message: string;
  readonly warnings: readonly string[];
}

/** Images of a pod, or of a resource that makes pods: a deployment, a job, a CronJob. */
export function imagesOf({ object }: AdmissionRequest): string[] {
  const spec = object?.spec?.jobTemplate?.spec?.template?.spec ?? object?.spec?.template?.spec ?? object?.spec ?? {};
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  return [...new Set(containers.flatMap(({ image }) => image ?? []))];
}

/** A refusal always counts. If an image could not be judged, the namespace decides. */
export function decide(verdicts: readonly Verdict[], failOpen: boolean): Decision {
  const reasons = (kind: 'refused' | 'unknown') =>
    verdicts.flatMap((verdict) => (verdict.kind === kind ? [verdict.reason] : []));
  const [refused, unknown] = [reasons('refused'), reasons('unknown')];
  if (refused.length > 0) return { allowed: false, message: refused.join('; '), warnings: [] };
  if (unknown.length > 0 && !failOpen) return { allowed: false, message: unknown.join('; '), warnings: [] };
  return { allowed: true, message: '', warnings: unknown.map((reason) => `not judged: ${reason}`.slice(0, 256)) };
}

/**
 * Converts the answer of the asserts API to a verdict. 404 is an artifact that was never recorded. Other error statuses concern the webhook's own key
 * or the service, so they are no verdict on the image.
 */
export function verdictOf(image: string, status: number, body: string): Verdict {
  if (status === 404) return { kind: 'refused', reason: `${image}: ${messageOf(body)}` };
  if (status !== 200) return { kind: 'unknown', reason: `${image}: the service answers ${status}: ${messageOf(body)}` };
  const { compliant, html_url } = JSON.parse(body) as { compliant: boolean; html_url?: string };
  return compliant
    ? { kind: 'compliant' }
    : { kind: 'refused', reason: `${image} is not compliant: ${html_url ?? ''}` };
}

type Env = Readonly<Record<string, string | undefined>>;

/** Serves a validating admission webhook until the signal aborts. */
export async function serveAdmission(
  config: Config,
  network: Network,
  env: Env,
  stopSignal: AbortSignal,
  log: Log,
): Promise<true> {
  const settings = config.admission;
  if (settings === null) throw new Error('admission is missing: write its section into the configuration.');
  const judge = judgeOf(config.url, settings, network, env);
  const tls = () => ({ cert: readFileSync(settings.tlsCertFile), key: readFileSync(settings.tlsKeyFile) });
  const server = createServer(tls(), (request, response) => {
    if (request.method === 'GET' && request.url === '/ready') return void response.writeHead(200).end();
    if (request.method !== 'POST' || Number(request.headers['content-length'] ?? NaN) > LONGEST_REVIEW) {
      return void response.writeHead(request.method === 'POST' ? 413 : 405).end();
    }
    void text(request)
      .then(async (body) => {
        const {
          request: review,
          apiVersion,
          kind,
        } = JSON.parse(body) as { request: AdmissionRequest; apiVersion: string; kind: string };
        const answer = await judge(review);
        if (!answer.allowed)
          log({ level: 'info', environment: settings.environment, message: `${review.namespace}: ${answer.message}` });
        const { allowed, message, warnings } = answer;
        const status = allowed ? {} : { status: { code: 403, message } };
        const reviewed = { uid: review.uid, allowed, ...status, ...(warnings.length === 0 ? {} : { warnings }) };
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ apiVersion, kind, response: reviewed }));
      })
      .catch(() => void response.writeHead(400).end('The body is no AdmissionReview.'));
  });
  // New connections use a renewed certificate.
  const renewal = setInterval(() => server.setSecureContext(tls()), 3_600_000);
  await once(server.listen(settings.port, settings.host), 'listening');
  process.stdout.write(`admission listens on https://${settings.host}:${(server.address() as AddressInfo).port}\n`);
  if (!stopSignal.aborted) await once(stopSignal, 'abort');
  clearInterval(renewal);
  server.close();
  return true;
}

function judgeOf(url: string, settings: AdmissionSettings, network: Network, env: Env) {
  const { organization, environment, namespaces, failOpen, timeoutMs } = settings;
  const key = keyFrom(settings.apiKeyFile, settings.apiKeyVariable, env);
  const verdict = async (image: string): Promise<Verdict> => {
    const digest = /@sha256:([0-9a-f]{64})$/.exec(image)?.[1];
    if (digest === undefined) return { kind: 'refused', reason: `${image} names no digest: deploy it as …@sha256:…` };
    const place = serviceUrl({ url }, `asserts/${encodeURIComponent(organization)}/fingerprint/${digest}`);
    place.searchParams.set('environment_name', environment);
    try {
      const headers = { authorization: `Bearer ${key()}` };
      const { status, text: body } = await sendRequest({ method: 'GET', url: place, headers, network, timeoutMs });
      return verdictOf(image, status, body);
    } catch (fault) {
      return { kind: 'unknown', reason: `${image}: ${fault instanceof Error ? fault.message : String(fault)}` };
    }
  };
  return async (review: AdmissionRequest): Promise<Decision> => {
    const namespace = review.namespace ?? '';
    if (!acceptsName(namespaces, namespace)) return { allowed: true, message: '', warnings: [] };
    // If the list is empty, no namespace fails open.
    const open = failOpen.include.length + failOpen.includeRegex.length > 0 && acceptsName(failOpen, namespace);
    return decide(await Promise.all(imagesOf(review).map(verdict)), open);
  };
}
