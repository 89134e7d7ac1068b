import { type EnvironmentActivity, environmentActivity } from '@assurance/model-environment';
import type { Documents } from '@assurance/storage-ports';

/** Reports that change nothing are noted at most this often an environment (milliseconds): answers may be 60 s old (DESIGN, Activity). */
const THROTTLE_MS = 30_000;
const REMEMBERED = 100_000;

/** When environments were last reported: state that is no event. */
export class Activity {
  private readonly noted = new Map<string, number>();

  constructor(private readonly documents: Documents) {}

  /** Notes a report; one that changed nothing only when none was noted within the last half minute. */
  async reported(environment: string, at: number, changed: boolean): Promise<void> {
    const last = this.noted.get(environment);
    if (!changed && last !== undefined && at - last < THROTTLE_MS) return;
    if (this.noted.size >= REMEMBERED) this.noted.clear();
    this.noted.set(environment, at);
    await this.documents
      .collection<EnvironmentActivity>(environmentActivity)
      .merge([environment], (current) =>
        current !== null && current.lastReportedAt >= at ? undefined : { lastReportedAt: at },
      );
  }
}
