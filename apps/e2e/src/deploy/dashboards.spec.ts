import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '@assurance/contracts/http/routes/routes';
import { stringify } from 'yaml';
import { read, ROOT, run, tools } from './run';

const FOLDER = 'deploy/observability';

interface Request {
  readonly url: string;
  readonly url_options: { readonly params: readonly { readonly key: string }[] };
  readonly root_selector: string;
  readonly columns: readonly { readonly selector: string }[];
}
interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly (Partial<Request> & { readonly expr?: string })[] }[];
}

describe.each(readdirSync(join(ROOT, FOLDER)).filter((file) => file.endsWith('.json')))('the dashboard %s', (file) => {
  const { panels } = JSON.parse(read(join(FOLDER, file))) as Dashboard;
  const targets = panels.flatMap(({ targets: some = [] }) => some);
  const requests = targets.filter((target): target is Request => target.url !== undefined);
  const expressions = targets.flatMap(({ expr }) => expr ?? []);

  it('asks for something', () => {
    expect(requests.length + expressions.length).toBeGreaterThan(10);
  });

  it('has requests that the API answers', () => {
    expect(requests.flatMap(unanswered)).toEqual([]);
  });

  // That running services export the metrics of the queries, other specs of the suite prove.
  it('has valid queries', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assurance-dashboard-'));
    const rules = expressions.map((text, i) => ({
      record: `panel:${i}`,
      expr: text.replaceAll('$__rate_interval', '5m'),
    }));
    writeFileSync(join(folder, file), stringify({ groups: [{ name: 'panels', rules }] }));
    const result = run(tools().promtool, ['check', 'rules', join(folder, file)]);
    rmSync(folder, { recursive: true });
    expect(result).toMatchObject({ ok: true });
  });
});

/** Finds parameters of a dashboard's request that no route has, and fields that the documented answer does not have. */
function unanswered({ url, url_options: { params }, root_selector: from, columns }: Request): readonly string[] {
  const path = url.replaceAll(/\$\{(\w+)\}/g, '{$1}');
  const all = Object.values(routes) as unknown as readonly Route[];
  const route = all.find((one) => one.method === 'GET' && one.path === path);
  if (route === undefined) return [`there is no ${path}`];
  const chosen = route.answers[200]?.example[from];
  const row = Array.isArray(chosen) ? (chosen[0] as unknown) : chosen;
  return [
    ...params.filter(({ key }) => route.query[key] === undefined).map(({ key }) => `${path} takes no ${key}`),
    ...columns
      .filter(({ selector }) => !has(row, selector))
      .map(({ selector }) => `${path} has no ${from}.${selector}`),
  ];
}

type Row = Readonly<Record<string, unknown>>;
interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: Row;
  readonly answers: Readonly<Record<number, { readonly example: Row }>>;
}

/** Whether a value has a field. Null has all, because an example may lack a figure. */
const has = (value: unknown, selector: string): boolean =>
  selector
    .split('.')
    .reduce((inner: unknown, name) => (inner === null ? null : (inner as Row | undefined)?.[name]), value) !==
  undefined;
