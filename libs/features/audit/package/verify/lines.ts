/** The longest line of commits. The limit of a commit is far lower. */
const LINE_MAX = 1024 * 1024;

/** A line of a file is longer than any line that this service writes. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

/** Splits pieces of a text into lines. It returns each line when the line is complete. */
export class LineSplitter {
  private rest: Uint8Array[] = [];
  private bytes = 0;

  /** @throws LineTooLong */
  take(piece: Uint8Array): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, from)) {
      lines.push(this.finish(piece.subarray(from, end)));
      from = end + 1;
    }
    const restOfPiece = piece.subarray(from);
    this.bytes += restOfPiece.length;
    if (this.bytes > LINE_MAX) throw new LineTooLong(`a line is longer than ${LINE_MAX} bytes`);
    if (restOfPiece.length > 0) this.rest.push(restOfPiece);
    return lines;
  }

  /** The text after the last line feed; null if there is none. */
  last(): string | null {
    return this.rest.length === 0 ? null : this.finish(new Uint8Array());
  }

  private finish(end: Uint8Array): string {
    const line = Buffer.concat([...this.rest, end]).toString('utf8');
    this.rest = [];
    this.bytes = 0;
    return line;
  }
}
