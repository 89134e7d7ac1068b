import type { Schemas } from '../api/client';
import { to } from '../app/paths';

type SearchResult = Schemas['FoundThings']['results'][number];

/** The most characters of a search text in the API. */
export const TEXT_MAX = 100;

/** The page of a result. */
function pageOf({ kind, name, id, flow, fingerprint, environment }: SearchResult): string {
  switch (kind) {
    case 'exception':
      return to.environment(environment ?? '');
    case 'environment':
      return to.environment(name);
    case 'flow':
      return to.flow(name);
    case 'repository':
      return to.repository(name, id ?? undefined);
    case 'policy':
      return to.policy(name);
    case 'control':
      return to.control(id ?? name);
    case 'trail':
      return to.trail(flow ?? '', name);
    case 'artifact':
      return flow === null ? to.unknownArtifact(fingerprint ?? '') : to.artifact(flow, fingerprint ?? '');
    case 'vulnerability':
      return to.vulnerability(name);
    case 'component':
      return to.component(id ?? name);
    case 'member':
      return to.settings('members');
    case 'service_account':
      return to.settings('service-accounts');
    case 'key':
      return to.settings(id === null ? 'keys' : 'service-accounts');
  }
}

/** Says where the text was found, unless the name shows it, and in which flow or environment the result is. */
function wordsOfPlace({ found_in, text, flow, environment }: SearchResult): string {
  const within = flow ?? environment;
  const place = found_in === 'name' ? null : `${found_in}: ${text}`;
  return [within === null ? null : `in ${within}`, place].filter((part) => part !== null).join(', ');
}

/** The pages that are no results of the API, by the words that find them. */
const PAGES = [
  ['Overview', to.overview],
  ['Environments', to.environments],
  ['Compare environments', '/compare'],
  ['Deployments', to.deployments],
  ['Components', to.components],
  ['Vulnerabilities', to.vulnerabilities],
  ['Flows', to.flows],
  ['Repositories', to.repositories],
  ['Policies', to.policies],
  ['Controls', to.controls],
  ['Attestation types', to.attestationTypes],
  ['Notifications', to.notifications],
  ['Audit log', to.auditLog],
  ['First steps', to.firstSteps],
  ['Members', to.settings('members')],
  ['Membership log', to.settings('log')],
  ['Service accounts', to.settings('service-accounts')],
  ['Spaces', to.settings('spaces')],
  ['Shared targets', to.settings('targets')],
  ['Retention', to.settings('retention')],
  ['Your API keys', to.settings('keys')],
  ['Your sign-in', to.settings('sign-in')],
  ['Organizations', to.settings('organizations')],
] as const;

/** A result as lists show it. */
export interface ShownResult {
  readonly kind: string;
  readonly name: string;
  readonly page: string;
  readonly place: string;
}

/** The pages of which a word begins with the text, and the results of the API. */
export const shownResults = (text: string, results: readonly SearchResult[]): readonly ShownResult[] => [
  ...PAGES.filter(([title]) => text !== '' && ` ${title}`.toLowerCase().includes(` ${text.toLowerCase()}`)).map(
    ([name, page]) => ({ kind: 'page', name, page, place: '' }),
  ),
  ...results.map((result) => ({
    kind: result.kind,
    name: result.name,
    page: pageOf(result),
    place: wordsOfPlace(result),
  })),
];

const VULNERABILITY_OR_PACKAGE = /^(GHSA-|[A-Z]+(-[A-Z]+)*-\d|pkg:)/i;

/** What it means that no result is a vulnerability or a component although the text names one; null for other texts and results. */
export const missOf = (text: string, results: readonly Pick<ShownResult, 'kind'>[]): string | null =>
  VULNERABILITY_OR_PACKAGE.test(text) && !results.some(({ kind }) => kind === 'vulnerability' || kind === 'component')
    ? 'No imported database and no SBOM names this. That does not say that nothing is affected.'
    : null;
