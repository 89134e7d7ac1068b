/** The most faults that are listed. */
const TOLD_MAX = 100;

/** A fault of a commit of a stream, or of the whole stream (seq null). */
export interface Fault {
  readonly stream: string;
  readonly seq: number | null;
  readonly fault: string;
}

/** Collects faults: counts all and lists the first ones. */
export class Faults {
  count = 0;
  readonly faults: Fault[] = [];

  add(stream: string, seq: number | null, fault: string): void {
    this.count += 1;
    if (this.faults.length < TOLD_MAX) this.faults.push({ stream, seq, fault });
  }
}
