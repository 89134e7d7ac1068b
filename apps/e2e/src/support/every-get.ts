import { routes } from '@assurance/contracts/http/routes/routes';
import { canonicalJson } from '@assurance/kernel';
import type { Caller } from './caller';

/** How many values of a kind are asked for. */
const MANY = 6;
/** Waits for views that are being built. */
const PATIENCE_MS = 120_000;
const STEP_MS = 200;

type Row = Readonly<Record<string, unknown>>;

/** Things in `acme` that paths can name. */
async function namesOf(caller: Caller): Promise<Readonly<Record<string, readonly string[]>>> {
  const some = async (path: string, field: string): Promise<string[]> => {
    const body = await readSettled(caller, path);
    const parsed = JSON.parse(body) as Row | Row[];
    const rows = Array.isArray(parsed)
      ? parsed
      : (Object.values(parsed).find((value) => Array.isArray(value)) as Row[] | undefined);
    return [...new Set((rows ?? []).map((row) => row[field]).filter((value) => typeof value === 'string'))];
  };
  const [envs, flows] = [await some('/environments/acme', 'name'), await some('/flows/acme', 'name')];
  const trails = await some('/trails/acme?per_page=50', 'name');
  const fingerprints = await some('/artifacts/acme', 'fingerprint');
  const shas = await some('/artifacts/acme', 'git_commit');
  const repos = [...(await some('/repos/acme', 'id')), ...(await some('/repos/acme', 'name'))];
  const of = (values: readonly string[]) => [...values.slice(0, MANY), ...values.slice(-1)];
  return {
    org: ['acme'],
    env: of(envs),
    flow: of(flows),
    trail: of(trails),
    fingerprint: of(fingerprints),
    sha: of(shas),
    value: [...of(shas), ...of(fingerprints)],
    expr: ['1', '2', '-1', '@{now}'],
    repo: of(repos),
    name: of(repos),
  };
}

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/api/v2/deployments/{org}': ['?start_ts=0&end_ts=9999999999&per_page=50'],
  '/api/v2/repos/{org}/{repo}/deployments': ['?start_ts=0&end_ts=9999999999&per_page=50'],
  '/api/v2/trails/{org}': ['?per_page=50'],
  '/api/v2/environments/{org}': ['?archived=true'],
  '/api/v2/env-diff/{org}': ['?snappish1=demo-production&snappish2=demo-staging'],
  '/api/v2/compare/{org}': ['?from=demo-production&to=demo-staging&per_page=50'],
};

/** Every path of a GET route of the API, with what there is in `acme` in the place of its parameters. */
export async function everyPath(caller: Caller): Promise<string[]> {
  const values = await namesOf(caller);
  const results = Object.values(routes).flatMap(({ method, path, permission, media }) => {
    // Omits public routes, which do not read the store, and files, which are not JSON.
    if (method !== 'GET' || permission === 'public' || media !== undefined) return [];
    // The feed keeps the order in which events reached it, which no other store has.
    if (path === '/api/v2/events/{org}') return [];
    let paths = [path.slice('/api/v2'.length)];
    for (const [whole, name = ''] of path.matchAll(/\{(\w+)(?:\.\.\.)?\}/g)) {
      const those = values[name] ?? ['unknown-1'];
      paths = paths.flatMap((partialPath) =>
        those.map((value) => partialPath.replace(whole, encodeURIComponent(value))),
      );
    }
    return paths.flatMap((fullPath) => [fullPath, ...(QUERIES[path] ?? []).map((query) => fullPath + query)]);
  });
  return [...new Set(results)];
}

/**
 * The answer to a GET after all views are built. It leaves out what depends on the present time: how long the latest snapshot is in force, where a
 * window ends, and when a key was used.
 */
export async function readSettled(caller: Caller, path: string): Promise<string> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const { status, body: json } = await caller.send('GET', path);
    // Fields have no order: what is folded again from commits has that of their text.
    const body = canonicalJson(json)
      .replace(/("duration":|"last_used_at":|(?:start|end)_ts(?:":|=))(?:[0-9.]+|null)/g, '$1')
      .replace(/&(from|to)=[^&"]+/g, '&$1=');
    if (status !== 503 || Date.now() > until) return status === 200 ? body : `${status} ${body}`;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

/** Where answers differ: the first difference of each path, for people. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...before].flatMap(([path, text]) => {
    const other = after.get(path) ?? '';
    if (other === text) return [];
    const at = [...text].findIndex((letter, i) => other[i] !== letter);
    const part = (whole: string) => whole.slice(Math.max(0, at - 60), at + 100);
    return [`${path}: …${part(text)}… became …${part(other)}…`];
  });
}
