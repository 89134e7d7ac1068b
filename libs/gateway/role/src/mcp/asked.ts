import type { JsonSchema } from '@assurance/contracts-http';
import { no, ok, type Result } from '@assurance/kernel';
import { pathNames, type Question } from './questions';

export type Arguments = Readonly<Record<string, unknown>>;

/** The arguments that every tool has in addition to the parameters of its route. */
const CONTAINS = 'contains';
const TEXT_MAX = 200;

/** The arguments of a tool: the path and query parameters of its route, from the route table. */
export function inputSchema({ route }: Question) {
  const names = pathNames(route.path);
  const known: Readonly<Record<string, string>> = { org: 'Name of the organization.', env: 'Name of the environment.' };
  const inPath = names.map((name): [string, JsonSchema] => [
    name,
    { type: 'string', description: route.paths?.[name] ?? known[name] ?? `Name of the ${name}.` },
  ]);
  const inQuery = Object.entries(route.query).map(([name, { schema, description }]): [string, JsonSchema] => [
    name,
    { ...schema, description },
  ]);
  const contains = {
    type: 'string',
    maxLength: TEXT_MAX,
    description: 'Only entries of lists that hold this text in any field.',
  };
  const needed = Object.entries(route.query).filter(([, { required }]) => required);
  return {
    type: 'object' as const,
    properties: Object.fromEntries([...inPath, ...inQuery, [CONTAINS, contains]]) as Record<string, JsonSchema>,
    required: [...names, ...needed.map(([name]) => name)],
    additionalProperties: false,
  };
}

/** A request to the API. */
export interface Asked {
  /** Path and query. */
  readonly url: string;
  /** See `CONTAINS`; empty for all. */
  readonly contains: string;
}

/**
 * The request for some arguments. The route checks the values of the query.
 *
 * @returns a refusal in words that the assistant can read
 */
export function asked({ route }: Question, given: Arguments): Result<Asked, string> {
  const { [CONTAINS]: contains = '', ...others } = given;
  if (typeof contains !== 'string' || contains.length > TEXT_MAX)
    return no(`${CONTAINS} should be a text of at most ${TEXT_MAX} characters`);
  const names = pathNames(route.path);
  for (const name of names) {
    const value = others[name];
    // A segment of only dots would change the path.
    if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value)) return no(`${name} should be a name`);
  }
  const path = filled(route.path, others);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) {
    if (names.includes(name) || value === null) continue;
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (!['string', 'number', 'boolean'].includes(typeof one))
        return no(`${name} should be a text, a number or a list of them`);
      query.append(name, String(one));
    }
  }
  return ok({ url: query.size === 0 ? path : `${path}?${query}`, contains });
}

/** The page of a question, below the public URL; null where an argument is missing that it needs. */
export function pageOf({ page }: Question, given: Arguments): string | null {
  return pathNames(page).every((name) => typeof given[name] === 'string') ? filled(page, given) : null;
}

function filled(path: string, given: Arguments): string {
  return path.replace(/\{([a-z_0-9]+)\}/gi, (_, name: string) => encodeURIComponent(String(given[name])));
}
