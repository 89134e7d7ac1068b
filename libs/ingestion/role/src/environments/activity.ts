import { PORTS, type Ports } from '@assurance/http';
import { type EnvironmentActivity, environmentActivity } from '@assurance/model';
import type { Part } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';

/** Reports that change nothing are noted at most this often an environment (milliseconds): answers may be 60 s old. */
const THROTTLE_MS = 30_000;
const REMEMBERED = 100_000;

/** When environments were last reported: state that is no event. */
@Injectable()
export class Activity {
  private readonly noted = new Map<string, number>();

  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  /** Notes a report that changed nothing, unless one was noted within the last half minute. */
  async unchanged(environment: string, at: number): Promise<void> {
    const last = this.noted.get(environment);
    // A time that lies ahead was noted before the clock was set back.
    if (last !== undefined && Math.abs(at - last) < THROTTLE_MS) return;
    const { collection, writes } = this.changed(environment, at);
    await this.ports.documents.collection(collection).write(writes);
  }

  /**
   * What notes a report that changed something: written with what its commit leaves. Written over any other, also over a later time: a clock that
   * was set back would else leave it for as long as it was ahead.
   */
  changed(environment: string, at: number): Part {
    if (this.noted.size >= REMEMBERED) this.noted.clear();
    this.noted.set(environment, at);
    const doc: EnvironmentActivity = { lastReportedAt: at };
    return { collection: environmentActivity, writes: [{ kind: 'put', id: environment, doc }] };
  }
}
