import type { Method, Route } from './route';
import { routes } from './routes/routes';

const ESCAPED = /[.*+?^$()|[\]\\]/g;

const table: readonly { readonly method: Method; readonly matches: RegExp }[] = Object.values<Route>(routes).map(
  ({ method, path }) => ({ method, matches: new RegExp(`^${path.split('/').map(segment).join('/')}$`) }),
);

function segment(text: string): string {
  if (!text.startsWith('{')) return text.replace(ESCAPED, '\\$&');
  return text.endsWith('...}') ? '.*' : '[^/]+';
}

/**
 * The methods that a path allows: the methods of all routes that match it, and `HEAD` for each `GET`. Empty for a path without a route.
 *
 * @param path the path as received, without its query
 */
export function methodsOf(path: string): readonly string[] {
  const methods = table.filter(({ matches }) => matches.test(path)).map(({ method }) => method);
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}
