/**
 * The input of one jq program. jq-wasm reads it byte by byte with `input[0]` and `input = input.slice(1)`. A slice of a typed array is a
 * copy, so that the time is quadratic in the length of the input. Here `slice` only advances a position, and V8 reads `[0]` fast, because
 * it is a plain element.
 */
class Input {
  readonly [first: number]: number | undefined;
  private at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    public length = bytes.length,
  ) {
    this.move(0);
  }

  slice(): this {
    this.length -= 1;
    return this.move(this.at + 1);
  }

  private move(to: number): this {
    this.at = to;
    (this as Record<number, number | undefined>)[0] = this.bytes[to];
    return this;
  }
}

/** The `TextEncoder` with which jq-wasm encodes its input. */
export class InputEncoder {
  encode(text: string): Input {
    return new Input(new TextEncoderOfNode().encode(text));
  }
}

const TextEncoderOfNode = TextEncoder;
