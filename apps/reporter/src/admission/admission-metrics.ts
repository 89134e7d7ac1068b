import { Counter, Registry } from 'prom-client';
import type { Decision, Fault } from './verdict';

const DECISIONS = ['admitted', 'refused', 'unjudged'] as const;
const FAULTS: readonly Fault[] = ['unjudged', 'unavailable', 'unasked', 'misconfigured'];

export class AdmissionMetrics {
  readonly registry = new Registry();
  private readonly reviews = new Counter({
    name: 'assurance_admission_reviews_total',
    help: 'Reviews by decision. unjudged: admitted without a verdict, because the namespace fails open.',
    labelNames: ['decision'] as const,
    registers: [this.registry],
  });
  private readonly faults = new Counter({
    name: 'assurance_admission_faults_total',
    help: 'Questions to the service that got no verdict, by reason.',
    labelNames: ['fault'] as const,
    registers: [this.registry],
  });
  private readonly requests = new Counter({
    name: 'assurance_admission_refused_requests_total',
    help: 'Requests that were no reviews, by the status of the answer.',
    labelNames: ['status'] as const,
    registers: [this.registry],
  });

  constructor() {
    for (const decision of DECISIONS) this.reviews.inc({ decision }, 0);
    for (const fault of FAULTS) this.faults.inc({ fault }, 0);
    for (const status of [400, 403, 413, 503]) this.requests.inc({ status }, 0);
  }

  countReview({ allowed, warnings }: Decision): void {
    const admitted = warnings.length > 0 ? 'unjudged' : 'admitted';
    this.reviews.inc({ decision: allowed ? admitted : 'refused' });
  }

  countFault(fault: Fault): void {
    this.faults.inc({ fault });
  }

  countRefusedRequest(status: number): void {
    this.requests.inc({ status });
  }
}
