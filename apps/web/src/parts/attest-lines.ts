import type { Schemas } from '../api/client';
import { shellQuote } from './shell-quote';

type Rule = Schemas['RuleEvaluation']['rule'];

interface MissingAttestation {
  readonly org: string;
  readonly flow: string;
  readonly trail: string;
  /** Left out for evidence of the trail as a whole. */
  readonly fingerprint?: string;
  /** Base address of the API. */
  readonly api: string;
  readonly rule: Pick<Rule, 'definition'>;
}

/** The data of an attestation of each type, besides its name. For other types, `{}` is a placeholder for the results of their tool. */
const DATA: Readonly<Record<string, object>> = {
  generic: { is_compliant: true },
  junit: { junit_results: [{ name: 'suite', failures: 0, errors: 0, skipped: 0, total: 1, duration: 1 }] },
  snyk: { snyk_results: {} },
  sonar: { sonar_results: {} },
  jira: { jira_results: [{ issue_id: 'KEY-1', issue_url: 'https://…', issue_exists: true }] },
  pull_request: { git_provider: 'github', pull_requests: [{ url: 'https://…', state: 'MERGED' }] },
};

/** Shell commands that add the attestation that a rule requires. Values other than names are examples to replace. */
export function attestLines({ org, flow, trail, fingerprint, api, rule: { definition } }: MissingAttestation): string {
  const {
    name,
    type,
    for_control: control,
  } = 'must_be_compliant' in definition ? definition : { name: '*', type: '*' };
  const kind = type === '*' ? 'generic' : type.startsWith('custom:') ? 'custom' : type === 'decision' ? 'system' : type;
  const body = {
    attestation_name: name === '*' ? 'NAME' : name,
    artifact_fingerprint: fingerprint,
    ...(kind === 'custom' ? { type_name: type.slice('custom:'.length), attestation_data: {} } : {}),
    ...(kind === 'system' ? { type_name: type, control, attestation_data: { is_compliant: true } } : {}),
    ...DATA[kind],
  };
  const path = ['attestations', org, flow, 'trail', trail, kind].map((part) => encodeURIComponent(part)).join('/');
  return [
    `curl -X POST ${shellQuote(`${api}/${path}`)} \\`,
    `  -H "Authorization: Bearer $KEY" \\`,
    `  -F data_json=${shellQuote(JSON.stringify(body))}`,
  ].join('\n');
}
