/** Collects opened resources and closes them once, in reverse order. */
export class CleanupStack {
  private readonly steps: (() => void | Promise<void>)[] = [];
  private currentRun: Promise<void> | null = null;

  /** Adds a step. It runs before all steps that were added earlier. */
  add(step: () => void | Promise<void>): void {
    this.steps.push(step);
  }

  /** Runs all steps even if some fail, and throws the first fault at the end. A second call waits for the first. */
  run(): Promise<void> {
    return (this.currentRun ??= this.runAll());
  }

  private async runAll(): Promise<void> {
    const faults: unknown[] = [];
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      try {
        await step();
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
