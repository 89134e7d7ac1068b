import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sha256 } from '@assurance/kernel';
import { type Answer, answer } from '../answer';
import { acceptsEncoding } from './accepts';

const compress = promisify(gzip);

/**
 * A document that needs no key. It is written and compressed once, so that a request costs little more than reading its
 * headers.
 */
export class PublicDocument {
  private readonly tag: string;
  private compressedContent: Promise<Buffer> | null = null;

  /** @param headers of the answer; `content-type` says whether the document is worth compressing */
  constructor(
    private readonly plainContent: Buffer,
    private readonly headers: Readonly<Record<string, string>> & { readonly 'content-type': string },
  ) {
    this.tag = sha256(plainContent).slice(0, 32);
  }

  static json(document: object, cacheControl: string): PublicDocument {
    return new PublicDocument(Buffer.from(JSON.stringify(document)), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': cacheControl,
    });
  }

  /** The document, or 304 if the client has it already. */
  async answerTo(request: IncomingHttpHeaders): Promise<Answer> {
    const encoded =
      !this.headers['content-type'].startsWith('image/') && acceptsEncoding(request['accept-encoding'], 'gzip');
    const headers = {
      ...this.headers,
      etag: `"${this.tag}${encoded ? '-gzip' : ''}"`,
      vary: 'accept-encoding',
    };
    if (this.matchesTag(request['if-none-match'])) return answer(304, Buffer.alloc(0), headers);
    if (!encoded) return answer(200, this.plainContent, headers);
    this.compressedContent ??= compress(this.plainContent);
    return answer(200, await this.compressedContent, { ...headers, 'content-encoding': 'gzip' });
  }

  private matchesTag(tags = ''): boolean {
    return tags.split(',').some((tag) => {
      const [, plain] = /^\s*(?:W\/)?"(\w+)(?:-gzip)?"\s*$/.exec(tag) ?? [];
      return plain === this.tag || tag.trim() === '*';
    });
  }
}
