import { Controller, Param } from '@nestjs/common';
import { routes } from '@assurance/contracts-http';
import { type Answer, answer, RefusalError, Route } from '@assurance/http';
import { type DocFile, docFiles } from './files';

/** Nothing may be loaded from, sent to or framed by another host: the browser itself holds the page to it. */
const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

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
