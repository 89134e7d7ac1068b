/** Records acknowledged requests with their times, and all other answers. */
export class Ledger {
  /** Reports that the service answered with 200, by environment: fingerprints. */
  acknowledged = new Map();
  /** Answers that the service must never give. */
  wrong = [];
  /** Counts answers by status, without successful ones. */
  refused = new Map();
  slowest = 0;
  count = 0;
  /** How many acknowledged reports the audit has checked. */
  looked = 0;
  gaps = { reports: 0, reads: 0 };
  last = { reports: performance.now(), reads: performance.now() };
  waiting = [];

  /** @param {'reports' | 'reads'} kind */
  served(kind) {
    const now = performance.now();
    this.gaps[kind] = Math.max(this.gaps[kind], now - this.last[kind]);
    this.last[kind] = now;
  }

  acknowledge(environment, fingerprint) {
    this.served('reports');
    this.acknowledged.get(environment).push(fingerprint);
    this.count += 1;
    this.waiting = this.waiting.filter(({ count, done }) => count > this.count || done());
  }

  /** Resolves when a number of further reports are acknowledged. */
  more(count) {
    return new Promise((done) => this.waiting.push({ count: this.count + count, done }));
  }

  /** Describes the progress. */
  progress() {
    return `${this.count} acknowledged${this.looked > 0 ? `, ${this.looked} of them checked` : ''}`;
  }

  answered({ status, headers, text, ms }) {
    this.slowest = Math.max(this.slowest, ms);
    if (status >= 200 && status < 300) return;
    this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
    if (status === 0 && text.includes('Timeout')) this.wrong.push('a caller waited in vain');
    if (status === 503 && !(headers.has('retry-after') && text.startsWith('{"message":')))
      this.wrong.push(`a 503 without Retry-After or a message: ${text}`);
    if (status >= 500 && status !== 503) this.wrong.push(`${status}: ${text}`);
  }
}
