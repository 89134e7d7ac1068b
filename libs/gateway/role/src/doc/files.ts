import { readFile } from 'node:fs/promises';
import { INITIALIZER, PAGE, STYLE } from './page';

/** A file that the reference is made of. */
export interface DocFile {
  readonly content: Buffer;
  /** Its content type. */
  readonly type: string;
  /** The file changes only with a release of the library, so browsers may cache it for a while. */
  readonly cacheable: boolean;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const own = (content: string, type: string): DocFile => ({ content: Buffer.from(content), type, cacheable: false });
const library = async (path: string, type: string): Promise<DocFile> => ({
  content: await readFile(path),
  type,
  cacheable: true,
});

/** All files by name; the page has the empty name. Paths reach no other file. */
export async function docFiles(): Promise<ReadonlyMap<string, DocFile>> {
  return new Map([
    ['', own(PAGE, HTML)],
    ['page.css', own(STYLE, CSS)],
    ['initializer.js', own(INITIALIZER, SCRIPT)],
    ['swagger-ui.css', await library(require.resolve('@fastify/swagger-ui/static/swagger-ui.css'), CSS)],
    ['swagger-ui-bundle.js', await library(require.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js'), SCRIPT)],
    ['favicon-32x32.png', await library(require.resolve('@fastify/swagger-ui/static/favicon-32x32.png'), 'image/png')],
  ]);
}
