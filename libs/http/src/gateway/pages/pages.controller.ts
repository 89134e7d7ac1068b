import { dirname, join } from 'node:path';
import { pageAsset } from '@assurance/contracts/http/page-asset';
import { LOGGER, type Logger, type Settings, SETTINGS } from '@assurance/event-sourcing/tokens';
import { Controller, Get, Headers, Inject, NotFoundException, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Answer, answer } from '../../answer';
import { Route } from '../../route.decorator';
import { acceptsEncoding } from '../accepts';
import { builtPages, ENCODINGS, ENTRY, type PageFile } from './built';

/** The folder of the built pages. It is found by the package file, because this code may be in a bundle. */
const BUILT = join(dirname(require.resolve('@assurance/http/package.json')), '../../apps/web/dist');
/** A file has another name when its content changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Headers that restrict the pages: no other hosts, no inline script or style, no frames, no devices of the visitor. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), payment=(), serial=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Browsers report an error where this header comes over plain HTTP under the name of a host. */
const OVER_HTTPS = { 'cross-origin-opener-policy': 'same-origin' } as const;

/** Headers of the files of a page. Headers that restrict pages have no effect on files, so they are left out. */
const ASSET_HEADERS = {
  'cross-origin-resource-policy': PAGE_HEADERS['cross-origin-resource-policy'],
  'x-content-type-options': PAGE_HEADERS['x-content-type-options'],
} as const;

/** Serves the pages: the entry page for every address that is not a route, and its files. */
@Controller()
export class PagesController {
  private files: Promise<ReadonlyMap<string, PageFile> | null> | null = null;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Route(pageAsset)
  async asset(
    @Param('*') name: string,
    @Headers('accept-encoding') acceptEncoding: string | undefined,
  ): Promise<Answer> {
    const file = (await this.readBuiltPages())?.get(`assets/${name}`);
    if (file === undefined) throw new NotFoundException();
    const encoding = ENCODINGS.find(
      (candidate) => acceptsEncoding(acceptEncoding, candidate) && file.compressed[candidate] !== undefined,
    );
    return answer(200, encoding === undefined ? file.plain : file.compressed[encoding], {
      ...ASSET_HEADERS,
      'content-type': file.type,
      'cache-control': FOR_EVER,
      vary: 'accept-encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    });
  }

  /** Answers with a file without a hash in its name, such as an icon, or with the entry page if the request asks for HTML. */
  @Get('*')
  async page(@Req() request: FastifyRequest): Promise<Answer> {
    const [path = ''] = request.url.split('?');
    const files = await this.readBuiltPages();
    const file = files?.get(path.slice(1));
    if (file !== undefined && path !== `/${ENTRY}`) {
      return answer(200, file.plain, { ...PAGE_HEADERS, 'content-type': file.type });
    }
    const entry = files?.get(ENTRY);
    if (entry === undefined || !wantsPage(request.headers.accept, path)) throw new NotFoundException();
    const { publicUrl } = this.settings;
    const page = entryPage(entry.plain.toString(), publicUrl);
    // Browsers send this only to addresses that they trust.
    const isTrusted = publicUrl.startsWith('https:') || request.headers['sec-fetch-mode'] !== undefined;
    const headers = { ...PAGE_HEADERS, ...(isTrusted ? OVER_HTTPS : {}), 'content-type': entry.type, vary: 'accept' };
    return answer(200, Buffer.from(page), headers);
  }

  /** The built pages, read at the first request; null if they were not built. */
  private readBuiltPages(): Promise<ReadonlyMap<string, PageFile> | null> {
    this.files ??= this.read(this.settings.pagesFolder ?? BUILT);
    return this.files;
  }

  private async read(folder: string): Promise<ReadonlyMap<string, PageFile> | null> {
    const files = await builtPages(folder);
    if (files === null) this.logger.warn({ folder }, 'no pages were built: their addresses answer 404');
    return files;
  }
}

/**
 * The entry page as it is served. Its `<base>` is the public URL, so that the page finds its files and the API.
 *
 * @param built the entry page as the build made it
 * @param publicUrl without a slash at its end; may have a path
 */
function entryPage(built: string, publicUrl: string): string {
  const path = new URL(`${publicUrl}/`).pathname.replaceAll('&', '&amp;');
  return built.replace(/<base [^<>]*>/, () => `<base href="${path}" />`);
}

/** First segments of paths that are not pages. */
const NO_PAGE = /^\/(api|assets|doc|live|mcp|ready|schemas)(\/|$)/;
/** A file name at the root, such as the files that robots ask for. */
const FILE = /^\/[^/.]*\.[^/]*$/;
const ANYTHING = /^(\*\/\*|text\/\*)$/;

/**
 * Whether a request opens a page. A browser asks for HTML by name; link checkers and chat previews accept anything. Clients of the API name
 * JSON.
 */
function wantsPage(accept: string | undefined, path: string): boolean {
  if (accept === undefined || /^\/api(\/|$)/.test(path)) return false;
  const types = accept
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';')[0]?.trim() ?? '');
  if (types.includes('text/html')) return true;
  return types.every((type) => ANYTHING.test(type)) && !NO_PAGE.test(path) && !FILE.test(path);
}
