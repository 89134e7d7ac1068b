import { gunzipSync } from 'node:zlib';
import { err, ok, type Result } from '@assurance/kernel';
import { inUtf8, isGzip } from './scan/attached';

const MARK = Buffer.from('\ufeff');

/**
 * Returns the text of a file in UTF-8 without its byte order mark: of UTF-8, of UTF-16 with a mark, and of both compressed with gzip.
 *
 * @param maxBytes bytes of the text
 * @returns a refusal is the second half of a sentence that begins with the file
 */
export function decoded(content: Buffer, maxBytes: number): Result<Buffer, string> {
  try {
    const unpacked = isGzip(content) ? gunzipSync(content, { maxOutputLength: maxBytes }) : content;
    const text = inUtf8(unpacked, maxBytes);
    if (text === null) return err(tooLarge(maxBytes));
    return ok(text.subarray(0, MARK.length).equals(MARK) ? text.subarray(MARK.length) : text);
  } catch (error) {
    if (error instanceof TypeError) return err('it is no text in UTF-8 or UTF-16');
    return err(
      (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : 'it cannot be unpacked',
    );
  }
}

function tooLarge(maxBytes: number): string {
  return `it has more than ${maxBytes} bytes, unpacked and in UTF-8`;
}
