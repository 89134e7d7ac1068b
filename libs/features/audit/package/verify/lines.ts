/** No line of commits is longer: a commit has a limit of its own, far below. */
const LINE_MAX = 1024 * 1024;

/** A line of a file is longer than any that we write. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

/** Takes pieces of a text, and gives its lines as they come to their end. */
export class LineSplitter {
  private rest: Uint8Array[] = [];
  private bytes = 0;

  /** @throws LineTooLong */
  take(piece: Uint8Array): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, from)) {
      lines.push(this.ended(piece.subarray(from, end)));
      from = end + 1;
    }
    const more = piece.subarray(from);
    this.bytes += more.length;
    if (this.bytes > LINE_MAX) throw new LineTooLong(`a line is longer than ${LINE_MAX} bytes`);
    if (more.length > 0) this.rest.push(more);
    return lines;
  }

  /** The text after the last line feed; null if there is none. */
  last(): string | null {
    return this.rest.length === 0 ? null : this.ended(new Uint8Array());
  }

  private ended(end: Uint8Array): string {
    const line = Buffer.concat([...this.rest, end]).toString('utf8');
    this.rest = [];
    this.bytes = 0;
    return line;
  }
}
