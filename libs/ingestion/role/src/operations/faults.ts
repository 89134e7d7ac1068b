/** The most faults that are told one by one. */
const TOLD_MAX = 100;

/** What is wrong with a commit of a stream, or with the stream (seq null). */
export interface Fault {
  readonly stream: string;
  readonly seq: number | null;
  readonly fault: string;
}

/** Faults found: all are counted, the first are told. */
export class Faults {
  count = 0;
  readonly told: Fault[] = [];

  add(stream: string, seq: number | null, fault: string): void {
    this.count += 1;
    if (this.told.length < TOLD_MAX) this.told.push({ stream, seq, fault });
  }
}
