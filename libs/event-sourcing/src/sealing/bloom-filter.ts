import { sha256 } from '@assurance/kernel';

const BITS = 2 ** 27;
/** The number of bits that are set for each text. */
const PLACES = 4;

/** A Bloom filter of texts in 16 MB. It may report a new text as seen, but never a seen text as new. */
export class BloomFilter {
  private readonly bits = new Uint8Array(BITS / 8);

  /** Adds a text. @returns false if the text was certainly not added before */
  addAndTest(text: string): boolean {
    const hash = sha256(text);
    let all = true;
    for (let i = 0; i < PLACES; i += 1) {
      const at = parseInt(hash.slice(8 * i, 8 * i + 8), 16) % BITS;
      const [byte, bit] = [at >>> 3, 1 << (at & 7)];
      const now = this.bits[byte] ?? 0;
      if ((now & bit) === 0) all = false;
      this.bits[byte] = now | bit;
    }
    return all;
  }
}
