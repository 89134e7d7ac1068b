import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';

export const everyRoute: readonly Route[] = Object.values(routes);

/** The path of a route below `/api/v2`, for things of `acme` that there are not. */
export const pathOf = ({ path }: Route): string =>
  path
    .replace('/api/v2', '')
    .replace('{org}', 'acme')
    .replace(/\{(\w+)(\.\.\.)?\}/g, 'some-$1');
