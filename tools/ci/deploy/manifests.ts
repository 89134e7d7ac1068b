import { parseAllDocuments } from 'yaml';
import { must } from '../../common/command.ts';

/** What the checks read of a manifest; which of it is there depends on the kind. */
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
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
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

/** The manifests of rendered YAML. */
export const manifestsOf = (text: string): readonly Manifest[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);

/** The pods that a release makes. */
export const podsOf = (manifests: readonly Manifest[]): readonly PodTemplate['spec'][] =>
  manifests.flatMap(({ spec }) => spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec ?? []);

/** The words of a documented command as a shell splits them. */
export const wordsOf = (command: string): readonly string[] =>
  must('bash', ['-c', `printf '%s\\0' ${command}`])
    .split('\0')
    .slice(0, -1);
