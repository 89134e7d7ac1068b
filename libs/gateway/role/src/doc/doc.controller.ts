import { readFile } from 'node:fs/promises';
import { Controller, Param } from '@nestjs/common';
import { routes } from '@assurance/contracts-http';
import { type Answer, answer, RefusalError, Route } from '@assurance/http';
import { INITIALIZER, PAGE, STYLE } from './page';

/** Nothing may be loaded from, sent to or framed by another host: the browser itself holds the page to it. */
const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A file that the reference is made of. */
interface DocFile {
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

/** The interactive reference: a page that reads `openapi.json`, without a key. */
@Controller()
export class DocController {
  /** Read when they are first asked for. */
  private files: ReadonlyMap<string, DocFile> | null = null;

  /** Relative, so that it also leads there where the public URL carries a path. */
  @Route(routes.docHome)
  home(): Answer {
    return answer(301, 'doc/', { location: 'doc/', 'cache-control': 'no-cache' });
  }

  @Route(routes.doc)
  async file(@Param('*') name: string): Promise<Answer> {
    this.files ??= await docFiles();
    const file = this.files.get(name);
    if (file === undefined) throw new RefusalError({ kind: 'route-unknown' });
    const cache = file.cacheable ? 'public, max-age=3600' : 'no-cache';
    return answer(200, file.content, { ...SECURITY, 'content-type': file.type, 'cache-control': cache });
  }
}

/** All files by name; the page has the empty name. Paths reach no other file. */
async function docFiles(): Promise<ReadonlyMap<string, DocFile>> {
  return new Map([
    ['', own(PAGE, HTML)],
    ['page.css', own(STYLE, CSS)],
    ['initializer.js', own(INITIALIZER, SCRIPT)],
    ['swagger-ui.css', await library(require.resolve('@fastify/swagger-ui/static/swagger-ui.css'), CSS)],
    ['swagger-ui-bundle.js', await library(require.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js'), SCRIPT)],
    ['favicon-32x32.png', await library(require.resolve('@fastify/swagger-ui/static/favicon-32x32.png'), 'image/png')],
  ]);
}
