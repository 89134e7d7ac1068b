import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { AdminAddress } from './operator';

const FOLDER = resolve(__dirname, '../../../../deploy/observability');
/** Labels that Prometheus gives itself. */
const GIVEN = new Set(['job', 'instance', 'namespace', 'installation']);
/** Exported only where a control group limits the memory of a process, or where listeners have a certificate. */
const CONDITIONAL = new Set([
  'assurance_memory_limit_bytes',
  'assurance_certificate_remaining_seconds',
  'assurance_certificate_lifetime_seconds',
]);

/**
 * Metrics that rules and dashboards query and no process of an installation exports, or `name{label}` where the metric lacks
 * the label.
 *
 * @param processes their operations addresses
 */
export async function notExported(processes: readonly AdminAddress[]): Promise<string[]> {
  const texts = processes.map(async ({ url }) => (await fetch(`${url}/metrics`)).text());
  const samples = (await Promise.all(texts)).join('\n').split('\n');
  const missing = [...namedMetrics()].flatMap(([name, labels]) => {
    const own = samples.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    if (own.length === 0) return CONDITIONAL.has(name) ? [] : [name];
    return [...labels].flatMap((label) =>
      own.some((line) => line.includes(`${label}="`)) ? [] : [`${name}{${label}}`],
    );
  });
  return missing.sort();
}

/** By the name of each metric: the labels that a query chooses or groups it by. */
function namedMetrics(): Map<string, Set<string>> {
  const results = new Map<string, Set<string>>();
  for (const expression of expressions()) {
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/));
    for (const [, name = '', pattern = ''] of expression.matchAll(
      /\b((?:assurance|nodejs|process)_\w+)(?:\{([^}]*)\})?/g,
    )) {
      const labels = [...grouped, ...[...pattern.matchAll(/(\w+)=/g)].map(([, label = '']) => label)];
      const cached = results.get(name) ?? new Set();
      results.set(name, new Set([...cached, ...labels.filter((label) => !GIVEN.has(label))]));
    }
  }
  return results;
}

function expressions(): string[] {
  const inFile = (file: string) => exprsIn(parse(readFileSync(join(FOLDER, file), 'utf8')));
  const files = readdirSync(FOLDER).filter((file) => file === 'rules.yaml' || file.endsWith('.json'));
  return files.flatMap(inFile);
}

/** Where the alerts of the rules lead to. */
export function runbookUrls(): URL[] {
  const { groups } = parse(readFileSync(join(FOLDER, 'rules.yaml'), 'utf8')) as {
    readonly groups: readonly {
      readonly rules: readonly { readonly annotations: { readonly runbook_url: string } }[];
    }[];
  };
  return groups.flatMap(({ rules }) => rules.map(({ annotations }) => new URL(annotations.runbook_url)));
}

/** The values of all fields named `expr`. */
function exprsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) =>
    key === 'expr' && typeof field === 'string' ? [field] : exprsIn(field),
  );
}
