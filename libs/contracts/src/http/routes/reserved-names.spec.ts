import { isReservedFlow, isReservedRepo, PATTERNS, RESERVED_CONTROLS } from '../patterns';
import type { Route } from '../route';
import { routes } from './routes';

const table: readonly Route[] = Object.values(routes);
const segmentsOf = ({ path }: Route) => path.split('/');
const isName = (segment: string) => segment.startsWith('{');

/** Repository routes with one fixed segment where other routes have a whole name. */
const PLAIN_REPO_ROUTES = new Set(
  table.flatMap(({ path }) => /^\/api\/v2\/repos\/\{org\}\/([a-z-]+)$/.exec(path)?.[1] ?? []),
);

/** Finds fixed segments that another route of the same form has as a name. The other route cannot find a resource with that name. */
function findTaken(): string[] {
  const results = new Set<string>();
  for (const route of table) {
    for (const other of table) {
      const [own, its] = [segmentsOf(route), segmentsOf(other)];
      if (route.method !== other.method || own.length !== its.length) continue;
      if (!own.every((segment, i) => segment === its[i] || isName(segment) || isName(its[i] ?? ''))) continue;
      for (const [i, segment] of own.entries()) {
        const name = its[i] ?? '';
        if (!isName(segment) && isName(name)) results.add(`${segment} for ${name}`);
      }
    }
  }
  return [...results];
}

/** Whether a new resource may have this name. Fingerprints and commits consist of digits. */
function mayBe(name: string, kind: string): boolean {
  switch (kind) {
    case '{org}':
      return PATTERNS.account.matches(name);
    case '{flow}':
      return !isReservedFlow(name);
    case '{control}':
      return PATTERNS.newControl.matches(name) && !RESERVED_CONTROLS.includes(name);
    case '{fingerprint}':
    case '{sha}':
      return /^[0-9a-f]+$/.test(name);
    case '{name...}':
      // Further segments have names with a slash, so such a repository is found by its id.
      return PLAIN_REPO_ROUTES.has(name) && !isReservedRepo(name);
    case '{repo}':
      return false;
    default:
      return true;
  }
}

describe('words of routes', () => {
  it('in the position of a name are refused as new names', () => {
    expect(findTaken().length).toBeGreaterThan(3);
    expect(findTaken().filter((reserved) => mayBe(...(reserved.split(' for ') as [string, string])))).toEqual([]);
  });
});
