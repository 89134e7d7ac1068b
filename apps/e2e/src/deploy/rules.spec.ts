import { parse } from 'yaml';
import { helm } from './manifests';
import { read, run, tools } from './run';

const RULES = 'deploy/observability/rules.yaml';
const TESTS = 'deploy/observability/rules.test.yaml';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook_url: string };
}
const { groups } = parse(read(RULES)) as { readonly groups: readonly { readonly rules: readonly Alert[] }[] };

describe('the rules of Prometheus', () => {
  it('are valid, and pass their unit tests', () => {
    expect(run(tools().promtool, ['check', 'rules', RULES])).toMatchObject({ ok: true });
    expect(run(tools().promtool, ['test', 'rules', TESTS])).toMatchObject({ ok: true });
  });

  // That services serve these pages, embedded/ready.spec.ts proves.
  it.each(groups.flatMap(({ rules }) => rules.map((rule) => [rule.alert, rule] as const)))(
    '%s has a unit test and a runbook with its expression, to which it leads',
    (alert, { expr, annotations }) => {
      expect(read(TESTS)).toContain(`alertname: ${alert}\n`);
      expect(read(`docs/operating/runbooks/${alert}.md`)).toContain(expr);
      expect(annotations.runbook_url).toBe(`https://assurance.example.com/runbooks.html#${alert}`);
    },
  );

  it.each([
    ['publicUrl=https://a.example/b/', 'https://a.example/b/runbooks.html#'],
    ['publicUrl=https://a.example,rules.runbooks=https://b.example/books', 'https://b.example/books#'],
  ])('lead with %s to %s', (values, address) => {
    const all = `mode=standalone,rules.enabled=true,${values}`;
    const { out } = helm('template', 'release', 'deploy/helm/assurance', '--set', all);
    const led = new Set([...out.matchAll(/runbook_url: (.*#)/g)].map(([, one]) => one));
    expect([...led]).toEqual([address]);
  });
});
