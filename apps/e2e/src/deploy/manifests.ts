import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { customResources } from './custom-resources';
import { type Result, run, tools } from './run';

/** The oldest Kubernetes version that the charts support, and the newest that the validator knows. */
export const KUBERNETES = ['1.29', '1.37'] as const;

/** What the specs read of a manifest; which of it is there depends on the kind. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector: Labels;
    readonly podSelector: Labels;
    readonly policyTypes: readonly string[];
    readonly ingress: readonly {
      readonly ports: readonly { readonly port: unknown }[];
      readonly from: readonly { readonly namespaceSelector?: Expressions; readonly podSelector?: Labels }[];
    }[];
    readonly egress?: readonly { readonly to?: unknown; readonly ports?: unknown }[];
    readonly triggers: readonly {
      readonly authenticationRef?: { readonly name: string };
      readonly metadata: { readonly sasl?: string; readonly tls?: string };
    }[];
    readonly template?: PodTemplate;
    readonly jobTemplate?: {
      readonly spec: { readonly template: PodTemplate; readonly activeDeadlineSeconds?: number };
    };
  };
}
export interface Labels {
  readonly matchLabels: Readonly<Record<string, string>>;
}
interface Expressions {
  readonly matchExpressions?: readonly { readonly values?: readonly string[] }[];
}
interface PodTemplate {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly { readonly image: string; readonly env: readonly { readonly name: string }[] }[];
    readonly securityContext: { readonly runAsUser?: number; readonly fsGroup?: number };
  };
}

/** Runs a command of helm on a chart. The APIs of the cluster, which helm cannot ask here, are those of the oldest version. */
export const helm = (command: 'lint' | 'template', ...args: readonly string[]): Result =>
  run(tools().helm, [command, ...args, '--kube-version', `${KUBERNETES[0]}.0`]);

/** The manifests of rendered YAML. */
export function manifestsOf({ ok, out }: Result): readonly Manifest[] {
  if (!ok) throw new Error(out);
  return parseAllDocuments(out).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}

/** The pods that a release makes. */
export const podsOf = (manifests: readonly Manifest[]): readonly PodTemplate['spec'][] =>
  manifests.flatMap(({ spec }) => spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec ?? []);

/** Defines tests of manifests: by the schemas of Kubernetes, and of the projects that define other resources. */
export function itMakesValidManifests(render: () => readonly Manifest[]): void {
  it.each(KUBERNETES)('makes valid manifests for Kubernetes %s', (version) => {
    const folder = mkdtempSync(join(tmpdir(), 'assurance-manifests-'));
    try {
      const core = render().filter((manifest) => customResources()(manifest) === null);
      expect(core).not.toEqual([]);
      // The validator reads YAML 1.1, in which an unquoted `on` is a boolean.
      const text = core.map((manifest) => stringify(manifest, { compat: 'yaml-1.1' })).join('---\n');
      writeFileSync(join(folder, 'all.yaml'), text);
      const args = ['--kubernetes-version', version, '--strict', '--quiet', join(folder, 'all.yaml')];
      expect(run(tools().validator, args)).toMatchObject({ ok: true });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('makes valid resources of other projects, which are refused with an unknown field', () => {
    for (const manifest of render()) {
      const faults = customResources()(manifest);
      if (faults === null) continue;
      const { kind, metadata, spec } = manifest;
      expect([kind, metadata.name, ...faults]).toEqual([kind, metadata.name]);
      const wrong = { ...manifest, spec: { ...spec, unknownField: 1 } };
      expect([kind, customResources()(wrong)]).not.toEqual([kind, []]);
    }
  });
}
