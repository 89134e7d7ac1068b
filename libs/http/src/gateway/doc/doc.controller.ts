import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Controller, Headers, Param } from '@nestjs/common';
import { routes } from '@assurance/contracts/http/routes/routes';
import { type Answer, answer } from '../../answer';
import { RefusalError } from '../../refusals';
import { Route } from '../../route.decorator';
import { PublicDocument } from '../public-document';
import { INITIALIZER, PAGE, STYLE } from './page';

/**
 * With these headers, the browser refuses to load anything from another host, to send anything there, or to show the
 * page in a frame.
 */
const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

function ownDocument(content: string, type: string): PublicDocument {
  return new PublicDocument(Buffer.from(content), { ...SECURITY, 'content-type': type, 'cache-control': 'no-cache' });
}

/** The file changes only with a release of the library, so browsers may cache it for a while. */
async function library(path: string, type: string): Promise<PublicDocument> {
  const headers = { ...SECURITY, 'content-type': type, 'cache-control': 'public, max-age=3600' };
  return new PublicDocument(await readFile(path), headers);
}

/** The interactive reference: a page that reads `openapi.json`, without a key. */
@Controller()
export class DocController {
  /** Read at the first request. */
  private files: Promise<ReadonlyMap<string, PublicDocument>> | null = null;

  /** The address is relative, so that it also works if the public URL has a path. */
  @Route(routes.docHome)
  home(): Answer {
    return answer(301, 'doc/', { location: 'doc/', 'cache-control': 'no-cache' });
  }

  @Route(routes.doc)
  async file(@Param('*') name: string, @Headers() headers: IncomingHttpHeaders): Promise<Answer> {
    this.files ??= docFiles();
    const file = (await this.files).get(name);
    if (file === undefined) throw new RefusalError({ kind: 'route-unknown' });
    return file.answerTo(headers);
  }
}

/** The files of the reference by name; the page has the empty name. Paths reach no other file. */
async function docFiles(): Promise<ReadonlyMap<string, PublicDocument>> {
  return new Map([
    ['', ownDocument(PAGE, HTML)],
    ['page.css', ownDocument(STYLE, CSS)],
    ['initializer.js', ownDocument(INITIALIZER, SCRIPT)],
    ['swagger-ui.css', await library(require.resolve('@fastify/swagger-ui/static/swagger-ui.css'), CSS)],
    ['swagger-ui-bundle.js', await library(require.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js'), SCRIPT)],
    ['favicon-32x32.png', await library(require.resolve('@fastify/swagger-ui/static/favicon-32x32.png'), 'image/png')],
  ]);
}
