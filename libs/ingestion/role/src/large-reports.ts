import { RefusalError } from '@assurance/http';

/** Reports of fewer artifacts take some milliseconds, and wait for nobody. */
const LARGE = 1_000;
/** How long a large report waits for those of its organization before it (milliseconds). */
const WAIT_MS = 10_000;

interface Waiting {
  readonly go: () => void;
  readonly late: NodeJS.Timeout;
}

/**
 * Processes the large reports of one organization one after the other. Each writes tens of thousands of documents: many at once take longer than
 * callers wait, and take the processors from other organizations.
 */
export class LargeReports {
  /** By organization: who waits while one runs. */
  private readonly lines = new Map<string, Set<Waiting>>();

  /**
   * @param artifacts of the report
   * @throws RefusalError `too-many-large-reports` after waiting for ten seconds; what `work` throws
   */
  async take<Done>(org: string, artifacts: number, work: () => Promise<Done>): Promise<Done> {
    if (artifacts < LARGE) return work();
    await this.turn(org);
    try {
      return await work();
    } finally {
      this.next(org);
    }
  }

  private async turn(org: string): Promise<void> {
    const line = this.lines.get(org);
    if (line === undefined) {
      this.lines.set(org, new Set());
      return;
    }
    await new Promise<void>((go, refuse) => {
      const late = setTimeout(() => {
        line.delete(one);
        refuse(new RefusalError({ kind: 'too-many-large-reports', seconds: WAIT_MS / 1_000 }));
      }, WAIT_MS);
      const one: Waiting = { go, late };
      line.add(one);
    });
  }

  private next(org: string): void {
    const line = this.lines.get(org);
    const [first] = line ?? [];
    if (line === undefined || first === undefined) {
      this.lines.delete(org);
      return;
    }
    line.delete(first);
    clearTimeout(first.late);
    first.go();
  }
}
