import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Certificates } from './certificates';

interface Reviewed {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly message: string };
  readonly warnings?: readonly string[];
}

/** The fields of a review that the webhook reads. */
export interface Review {
  readonly namespace: string;
  readonly operation?: 'CREATE' | 'UPDATE';
  readonly subResource?: string;
  readonly object: object;
  readonly oldObject?: object;
}

/** A pod whose containers run these images. */
export const podOf = (...images: readonly string[]) => ({
  spec: { containers: images.map((image, i) => ({ name: `c${i}`, image })) },
});

/** An API server before the webhook: it sends `v1` reviews, trusts the authority of the test, and may have a certificate. */
export class ApiServer {
  constructor(
    readonly at: string,
    private readonly certificates: Certificates,
    private readonly own?: keyof Certificates,
  ) {}

  /** Sends a request. The caller sends and ends its body. */
  open(path: string, method = 'POST', headers: Readonly<Record<string, string | number>> = {}) {
    const pem = this.own && readFileSync(this.certificates[this.own]);
    const identity = pem === undefined ? {} : { cert: pem, key: pem };
    return overHttps(`${this.at}${path}`, {
      method,
      headers,
      ca: readFileSync(this.certificates.ca),
      agent: false,
      ...identity,
    });
  }

  async get(path: string): Promise<number> {
    const call = this.open(path, 'GET').end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  }

  /** The status and the body of the answer to a review. */
  async send(review: Review): Promise<{ status: number; body: string; connection: string }> {
    const body = JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid: 'review-1', operation: 'CREATE', ...review },
    });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = this.open('/validate', 'POST', headers).end(body);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const { statusCode: status = 0, headers: answered } = response;
    return { status, body: await text(response), connection: answered.connection ?? '' };
  }

  async review(review: Review): Promise<Reviewed> {
    const { status, body } = await this.send(review);
    if (status !== 200) throw new Error(`the webhook answers ${status}: ${body}`);
    const { apiVersion, kind, response } = JSON.parse(body) as { apiVersion: string; kind: string; response: Reviewed };
    expect([apiVersion, kind, response.uid]).toEqual(['admission.k8s.io/v1', 'AdmissionReview', 'review-1']);
    return response;
  }

  /** Whether a pod with these images may start in the namespace. */
  async create(namespace: string, ...images: readonly string[]): Promise<Reviewed> {
    return this.review({ namespace, object: podOf(...images) });
  }
}
