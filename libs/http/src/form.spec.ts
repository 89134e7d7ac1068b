import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import fc from 'fast-check';
import { BlobTooLarge } from '@assurance/storage-ports';
import { codePoint } from '@assurance/testing/code-point';
import { type Form, readForm, type Store } from './form';
import { RefusalError } from './refusals';
import { DEFAULT_LIMITS } from './testing/default-limits';

const LIMITS = { ...DEFAULT_LIMITS, bodyBytes: 2_000, attachmentBytes: 5_000 };
const B = 'boundary';
const field = (name: string, text: string) =>
  `--${B}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const file = (name: string, filename: string, text: string) =>
  `--${B}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n${text}\r\n`;
const END = `--${B}--\r\n`;

describe('a form with attachments', () => {
  let app: FastifyInstance;
  let store: Store;
  let stored: string[];

  beforeAll(async () => {
    app = fastify({ bodyLimit: LIMITS.bodyBytes });
    await app.register(multipart);
    const route = (path: string, where: () => Store | null) =>
      app.post(path, async (request) => {
        try {
          return { form: await readForm(request, LIMITS, 'attachment_file', where()) };
        } catch (error) {
          if (error instanceof RefusalError) return { refused: error.refusal };
          throw error;
        }
      });
    route('/attachments', () => (content, limit) => store(content, limit));
    route('/file', () => null);
    await app.ready();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    stored = [];
    store = async (content, limit) => {
      const pieces: Uint8Array[] = [];
      let size = 0;
      for await (const piece of content) {
        size += piece.length;
        if (size > limit) throw new BlobTooLarge(limit);
        pieces.push(piece);
      }
      const whole = Buffer.concat(pieces);
      stored.push(whole.toString('latin1'));
      return { sha256: createHash('sha256').update(whole).digest('hex'), size };
    };
  });

  const send = async (payload: string | Buffer, url = '/attachments', boundary = B) => {
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const reply = await app.inject({ method: 'POST', url, payload, headers });
    return {
      status: reply.statusCode,
      ...(reply.json() as { form?: Form; refused?: { kind: string; limit?: number } }),
    };
  };

  it('stores each file under what it is, in the order in which they come', async () => {
    const { form } = await send(
      file('attachment_file', 'a.txt', 'tea') + field('data_json', '{}') + file('attachment_file', 'b', 'é') + END,
    );
    expect(form).toMatchObject({ fields: { data_json: '{}' }, files: {} });
    expect(form?.attachments.map(({ filename, size }) => [filename, size])).toEqual([
      ['a.txt', 3],
      ['b', 2],
    ]);
  });

  it('takes more than a body may be, up to the limit of all attachments together', async () => {
    const most = await send(field('data_json', '{}') + file('attachment_file', 'a', 'x'.repeat(5_000)) + END);
    expect(most.form?.attachments[0]?.size).toBe(5_000);
    const two = file('attachment_file', 'a', 'x'.repeat(3_000)) + file('attachment_file', 'b', 'y'.repeat(2_001));
    expect((await send(two + END)).refused).toEqual({ kind: 'attachments-too-large', limit: 5_000 });
    const largeFile = file('attachment_file', 'a', 'x'.repeat(5_001));
    expect((await send(largeFile + END)).refused).toEqual({ kind: 'attachments-too-large', limit: 5_000 });
    const long = file('attachment_file', 'a', 'x'.repeat(50_000));
    expect((await send(long + END)).refused).toMatchObject({
      kind: 'body-too-large',
      limit: 7_000,
      bytes: expect.any(Number) as number,
    });
  });

  it('is refused with the limit that it is above: of files, of fields, of parts', async () => {
    const files = (count: number) => file('attachment_file', 'a', 'x').repeat(count);
    const fields = (count: number) => Array.from({ length: count }, (_, i) => field(`f${i}`, 'x')).join('');
    const neither = `--${B}\r\nX-Y: z\r\n\r\nx\r\n`;
    const most = await send(files(10) + fields(20) + neither.repeat(10) + END);
    expect(most.form?.attachments).toHaveLength(10);
    const refused = (parts: string, limit: number) => ({ kind: 'too-many-parts', parts, limit });
    expect((await send(fields(1) + files(11) + END)).refused).toEqual(refused('files', 10));
    expect((await send(files(10) + fields(21) + END)).refused).toEqual(refused('fields', 20));
    expect((await send(fields(30) + files(10) + END)).refused).toEqual(refused('fields', 20));
    expect((await send(neither.repeat(41) + END)).refused).toEqual(refused('parts', 40));
    expect((await send(files(2) + END, '/file')).refused).toEqual(refused('files', 1));
    expect((await send(fields(21) + END, '/file')).refused).toEqual(refused('fields', 20));
  });

  it('reads a field with the type of JSON like a field without one', async () => {
    const json = field('data_json', '{"a": [1, "é"]}').replace(
      '\r\n\r\n',
      '\r\nContent-Type: application/json\r\n\r\n',
    );
    expect((await send(json + END)).form?.fields).toEqual({ data_json: '{"a":[1,"é"]}' });
  });

  it('holds fields to the limit of a body', async () => {
    const long = field('data_json', 'x'.repeat(2_001));
    expect((await send(long + END)).refused).toEqual({ kind: 'body-too-large', limit: 2_000 });
    const many = field('a', 'x'.repeat(1_001)) + field('b', 'x'.repeat(1_001));
    expect((await send(many + END)).refused).toEqual({ kind: 'body-too-large', limit: 2_000 });
  });

  it('takes files under one name alone', async () => {
    const other = await send(file('other', 'a', 'x') + field('data_json', '{}') + END);
    expect(other.refused).toMatchObject({ kind: 'invalid', errors: { other: 'No file is taken under this name' } });
  });

  it('is not valid when it breaks off in a file', async () => {
    const broken = field('data_json', '{}') + file('attachment_file', 'a', 'x'.repeat(100)).slice(0, -50);
    expect((await send(broken)).refused).toMatchObject({ kind: 'invalid' });
  });

  it('says a fault of storage as it is', async () => {
    store = () => Promise.reject(new Error('the disk is full'));
    const result = await send(field('data_json', '{}') + file('attachment_file', 'a', 'x'.repeat(4_000)) + END);
    expect(result).toMatchObject({ status: 500, message: 'the disk is full' });
  });

  it('ends with a form or a refusal, for any bytes', async () => {
    const kinds = ['invalid', 'body-too-large', 'attachments-too-large', 'too-many-parts', 'media-type'];
    const name = fc.constantFrom('data_json', 'attachment_file', 'other', '__proto__', 'constructor', '');
    const content = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.nat(6_000).map((length) => 'x'.repeat(length)),
    );
    const part = fc.oneof(
      fc.tuple(name, content).map(([key, text]) => field(key, text)),
      fc.tuple(name, fc.string(), content).map(([key, filename, text]) => file(key, filename, text)),
      fc.string({ unit: codePoint }),
      fc.constantFrom(`--${B}`, '\r\n', '--', `--${B}\r\n\r\n`, 'Content-Disposition: form-data\r\n\r\n', END),
    );
    const cut = fc.tuple(fc.nat(), fc.nat(40));
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 6 }),
        fc.option(cut),
        fc.boolean(),
        fc.constantFrom('/attachments', '/file'),
        fc.constantFrom(B, '', 'other', '"', 'x'.repeat(300)),
        async (parts, hole, ended, url, boundary) => {
          const whole = Buffer.from(parts.join('') + (ended ? END : ''));
          const at = hole === null || whole.length === 0 ? 0 : hole[0] % whole.length;
          const payload = hole === null ? whole : Buffer.concat([whole.subarray(0, at), whole.subarray(at + hole[1])]);
          const { status, form, refused } = await send(payload, url, boundary);
          expect(status).toBe(200);
          if (form === undefined) expect(kinds).toContain(refused?.kind);
        },
      ),
      { numRuns: 300, interruptAfterTimeLimit: 15_000 },
    );
  }, 20_000);
});
