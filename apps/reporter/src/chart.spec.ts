import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from './config';
import { KINDS } from './report';

interface Schema {
  readonly properties: Readonly<Record<string, unknown>>;
}

const chart = JSON.parse(
  readFileSync(join(__dirname, '../../../deploy/helm/reporter/values.schema.json'), 'utf8'),
) as Schema & {
  readonly definitions: { readonly kind: { readonly enum: readonly string[] }; readonly filter: Schema };
  readonly properties: {
    readonly environments: {
      readonly items: {
        readonly allOf: readonly {
          readonly if: { readonly properties: { readonly kind: { readonly const: string } } };
          readonly then: Schema;
        }[];
      };
    };
  };
};

/** The fields that the configuration allows in the place of an unknown field. */
function knownVariables(environment: object): readonly string[] {
  const url = 'https://assurance.example.com';
  try {
    readConfig(JSON.stringify({ url, organization: 'acme', environments: [environment] }));
  } catch (error) {
    const [, fields = ''] = /unknownField is unknown\. Known here: (.*)\./.exec(String(error)) ?? [];
    return fields.split(', ');
  }
  return [];
}

const needed = { bucket: 'b', project: 'p', region: 'r', subscription: 's', resourceGroup: 'g' };
const fields = ({ properties }: Schema) => Object.keys(properties).sort();
const branches = chart.properties.environments.items.allOf.map(
  (condition) => [condition.if.properties.kind.const, condition.then] as const,
);

describe("the chart's schema of environments", () => {
  it('has every kind that a pod can see', () => {
    const kinds = KINDS.filter((kind) => !['docker', 'server'].includes(kind)).sort();
    expect(chart.definitions.kind.enum.toSorted()).toEqual(kinds);
    expect(branches.map(([kind]) => kind).sort()).toEqual(kinds);
  });

  it.each(branches)('has the fields of the configuration for %s', (kind, branch) => {
    const own = Object.fromEntries(Object.entries(needed).filter(([name]) => name in branch.properties));
    expect(knownVariables({ environment: 'a', kind, ...own, unknownField: 1 })).toEqual(fields(branch));
  });

  it('has the fields of a filter', () => {
    const environment = { environment: 'a', kind: 'K8S', namespaces: { unknownField: 1 } };
    expect(knownVariables(environment)).toEqual(fields(chart.definitions.filter));
  });
});
