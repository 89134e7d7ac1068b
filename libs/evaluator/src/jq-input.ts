/**
 * The input of one jq program. jq-wasm takes one byte after another by `input[0]` and `input = input.slice(1)`, which copies typed arrays:
 * reading 1 MiB took the time of the square of its length. Here a slice moves on, and `[0]` is a plain element, which V8 reads fast.
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

/** What jq-wasm encodes its input with. */
export class InputEncoder {
  encode(text: string): Input {
    return new Input(new TextEncoderOfNode().encode(text));
  }
}

const TextEncoderOfNode = TextEncoder;
