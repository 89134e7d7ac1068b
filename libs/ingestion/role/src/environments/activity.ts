import { PORTS, type Ports } from '@assurance/http';
import { ACTIVITY_THROTTLE_MS, type EnvironmentActivity, environmentActivity } from '@assurance/model';
import type { Part } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';

const REMEMBERED = 100_000;

/** When environments were last reported: state that is no event. */
@Injectable()
export class Activity {
  private readonly noted = new Map<string, number>();

  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  /** Notes a report that changed nothing. */
  async unchanged(environment: string, at: number): Promise<void> {
    for (const { collection, writes } of this.reported(environment, at)) {
      await this.ports.documents.collection(collection).write(writes);
    }
  }

  /** The writes that note a report. They belong with the writes of its commit. Empty if a report was noted within the last half minute. */
  reported(environment: string, at: number): Part[] {
    const last = this.noted.get(environment);
    // A time that lies ahead was noted before the clock was set back.
    if (last !== undefined && Math.abs(at - last) < ACTIVITY_THROTTLE_MS) return [];
    if (this.noted.size >= REMEMBERED) this.noted.clear();
    this.noted.set(environment, at);
    const doc: EnvironmentActivity = { lastReportedAt: at };
    return [{ collection: environmentActivity, writes: [{ kind: 'put', id: environment, doc }] }];
  }
}
