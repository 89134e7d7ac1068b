import type { FastifyRequest } from 'fastify';
import type { CallFile } from './call';
import { RefusalError } from './refusals';
import type { Limits } from './tokens';

export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, CallFile>>;
}

/**
 * Reads a form whole, fields and files, all of it held to the limit of a body.
 *
 * @throws RefusalError
 */
export async function readForm(request: FastifyRequest, { bodyBytes: limit }: Limits): Promise<Form> {
  const { 'content-type': type, 'content-length': length } = request.headers;
  if (!request.isMultipart()) throw new RefusalError({ kind: 'media-type', given: type ?? 'none' });
  const tooLarge = () => new RefusalError({ kind: 'body-too-large', limit });
  if (Number(length ?? 0) > limit) throw tooLarge();
  const fields = new Map<string, string>();
  const files = new Map<string, CallFile>();
  let bytes = 0;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        const content = await part.toBuffer();
        bytes += content.length;
        files.set(part.fieldname, { filename: part.filename, content });
      } else {
        const text = String(part.value);
        bytes += part.valueTruncated ? limit + 1 : Buffer.byteLength(text);
        fields.set(part.fieldname, text);
      }
      if (bytes > limit) throw tooLarge();
    }
  } catch (error) {
    if (error instanceof RefusalError) throw error;
    if ((error as { statusCode?: number }).statusCode === 413) throw tooLarge();
    // The rest are the parser's words about the form, none of which are ours to repeat.
    throw new RefusalError({ kind: 'invalid', errors: { body: 'Input is not a valid form' } });
  }
  return { fields: Object.fromEntries(fields), files: Object.fromEntries(files) };
}
