import type { Handler } from './handlers';

/** A handler, and the parameters of the requested path. */
export interface MatchedHandler {
  readonly handler: Handler;
  readonly params: Readonly<Record<string, string>>;
}

/** The segments of a path: literals, and names of parameters. */
interface Template {
  readonly handler: Handler;
  readonly parts: readonly { readonly literal: string | null; readonly name: string }[];
}

/** Fastify handles longer addresses (characters). */
const URL_MAX = 1_024;
/** Fastify handles addresses with any other character, such as an escape or a query. */
const PLAIN = /^\/[A-Za-z0-9/._~:@!$&'()*+,=-]*$/;

/** Finds the handler of a method and an address that needs no decoding. */
export class HandlerTable {
  /** By method and number of segments. */
  private readonly templates = new Map<string, Template[]>();

  add(handler: Handler): void {
    const { method, path } = handler.route;
    const parts = path.split('/').map((part) => {
      const name = /^\{([a-zA-Z_]+)\}$/.exec(part)?.[1];
      return { literal: name === undefined ? part : null, name: name ?? '' };
    });
    const key = `${method} ${parts.length}`;
    this.templates.set(key, [...(this.templates.get(key) ?? []), { handler, parts }]);
  }

  find(method: string | undefined, url: string | undefined): MatchedHandler | null {
    if (url === undefined || url.length > URL_MAX || !PLAIN.test(url)) return null;
    const segments = url.split('/');
    const fits = ({ parts }: Template) =>
      parts.every(({ literal }, i) => (literal === null ? segments[i] !== '' : segments[i] === literal));
    const template = this.templates.get(`${method} ${segments.length}`)?.find(fits);
    if (template === undefined) return null;
    const params: Record<string, string> = {};
    template.parts.forEach(({ literal, name }, i) => {
      if (literal === null) params[name] = segments[i] ?? '';
    });
    return { handler: template.handler, params };
  }
}
