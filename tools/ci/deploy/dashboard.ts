import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import contracts from '@assurance/contracts/http/routes/routes';
import { stringify } from 'yaml';
import { run } from '../../common/command.ts';
import { tell } from '../report.ts';

interface Request {
  readonly url: string;
  readonly url_options: { readonly params: readonly { readonly key: string }[] };
  readonly root_selector: string;
  readonly columns: readonly { readonly selector: string }[];
}
interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly (Partial<Request> & { readonly expr?: string })[] }[];
}

/** Checks the queries of a dashboard with promtool. The end-to-end tests compare the metrics of the queries with running services. */
export function checkDashboard(promtool: string, path: string, folder: string): void {
  const file = basename(path);
  const { panels } = JSON.parse(readFileSync(path, 'utf8')) as Dashboard;
  const targets = panels.flatMap(({ targets: some = [] }) => some);
  const requests = targets.filter((target): target is Request => target.url !== undefined);
  const wrong = requests.flatMap(unanswered);
  if (requests.length > 0)
    tell(wrong.length === 0, `the ${requests.length} requests of ${file} are answered by the API`, wrong.join('\n'));
  const expressions = targets.flatMap(({ expr }) => expr ?? []);
  if (expressions.length === 0) return;
  const rules = expressions.map((text, i) => ({
    record: `panel:${i}`,
    expr: text.replaceAll('$__rate_interval', '5m'),
  }));
  const checked = join(folder, `${file}.yaml`);
  writeFileSync(checked, stringify({ groups: [{ name: 'panels', rules }] }));
  const { ok, out } = run(promtool, ['check', 'rules', checked]);
  tell(ok, `the ${expressions.length} queries of ${file} are valid`, out);
}

/** Finds parameters of a dashboard's request that no route has, and fields that the documented answer does not have. */
function unanswered({ url, url_options: { params }, root_selector: from, columns }: Request): readonly string[] {
  const path = url.replaceAll(/\$\{(\w+)\}/g, '{$1}');
  const routes = Object.values(contracts.routes) as unknown as readonly Route[];
  const route = routes.find((one) => one.method === 'GET' && one.path === path);
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
