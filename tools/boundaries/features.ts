// Which part of a feature may import which part of another: a table that reviewers see, and the ESLint rule that holds code to it.
import { posix, relative } from 'node:path';
import type { Rule } from 'eslint';

/** The features in their order: each may import those before it. Where one needs a later one, it declares a port that the later one provides. */
const FEATURES = [
  'access',
  'flows',
  'evidence',
  'policies',
  'environments',
  'deployments',
  'components',
  'vulnerabilities',
  'notifications',
  'audit',
];

/**
 * The parts of a feature, and which of its other parts each may import. Services load parts: ingestion `write`, projection `read`, the gateway
 * `gateway`, the notification dispatcher `dispatch`, the audit package `collect`.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  lookups: ['domain'],
  judging: ['domain'],
  write: ['domain', 'lookups', 'judging'],
  read: ['domain', 'lookups'],
  gateway: ['domain', 'lookups'],
  channels: ['domain'],
  dispatch: ['domain', 'lookups', 'channels'],
  package: ['domain'],
  collect: ['domain', 'lookups', 'package'],
};

/** What a part of a later feature may import of earlier ones, beside their `domain` and, outside `domain`, their `lookups`. */
const EXPORTS = [
  // Commands of several features are decided with these.
  'access/write/core.module',
  'access/write/register',
  'access/write/organization-limits',
  'access/write/spaces',
  'access/write/spaces.module',
  'access/write/access.module',
  'access/write/create-organization',
  'access/write/joining',
  'access/write/memberships',
  'access/gateway/expiring-cache',
  'access/gateway/revocations',
  'access/gateway/session/sessions',
  'flows/write/flows.module',
  'flows/write/commit-info',
  'flows/write/current-flow',
  'flows/write/put-flow',
  'flows/write/repositories',
  'flows/write/change-flow',
  'flows/write/tag-repo',
  'flows/read/last-deployment',
  'flows/read/artifacts/find',
  'flows/read/matches',
  'flows/read/flows/activity',
  'flows/read/flows/answer',
  'flows/read/flows/list',
  'flows/read/flows/repo-url',
  'flows/read/tags',
  'flows/read/trails/list',
  'flows/read/trails/status',
  'flows/read/words',
  'evidence/read/attestations',
  'evidence/read/attestations/find',
  'evidence/read/retention-answer',
  'evidence/write/attestation-of',
  'evidence/write/sboms',
  'policies/read/policies/decisions',
  'policies/write/controls',
  'policies/write/policies',
  'policies/write/policies.module',
  // The search of what an organization has finds what later features know.
  'environments/read/further-matches',
  'environments/read/snapshots',
  'environments/read/snapshots/expression',
  'environments/read/snapshots/located-snapshot',
  'environments/read/snapshots/replay',
  'environments/read/snapshots/resolve',
  'environments/judging/judging-queue',
  'environments/judging/work',
  // Drafts of policies are judged by what judges asserts.
  'environments/read/environments.module',
  'environments/write/environment-states.module',
  'environments/write/environments',
  'environments/write/judging/judging.module',
  'environments/write/judging/judging-worker',
  'environments/write/judging/running-where',
  'environments/write/silence/watch-silence',
  'deployments/read/buckets',
  'deployments/read/deployments/follow',
  'deployments/read/deployments/rows',
  // What vulnerabilities concern is found as components are.
  'components/read/components.module',
  'components/read/components/find',
  'components/read/components/follow',
  'components/read/components/inventory',
  'components/read/components/parts',
  'components/read/components/rows',
  'components/read/components/runs',
  'components/read/components/sorted',
  'components/read/components/without-sbom',
  'components/read/located-artifacts',
  'vulnerabilities/write/exposure-worker',
  'vulnerabilities/write/grace-ends',
  // A package has the statements about what it is of.
  'vulnerabilities/read/known-vulnerabilities',
  'notifications/dispatch/destination-queue',
];

/** The packages that files of `domain` use all the same. */
const PACKAGES: Readonly<Record<string, string>> = {
  'evidence/domain/purl': '@socketregistry/packageurl-js',
  'policies/domain/expression/pattern': 're2js',
  'components/domain/versions/semver': 'semver',
  'vulnerabilities/domain/cvss': 'ae-cvss-calculator',
};

/** What `domain` may import outside the features: facts and shapes, and pure functions. */
const DOMAIN = /^@assurance\/(kernel$|contracts\/(events\/|\w+\/(events|documents|refusals)$|http\/refusals$))/;
/** What facts and shapes may import. */
const FACTS = /^@assurance\/kernel$/;
const FACT_FILES = /^libs\/contracts\/src\/(events\/|\w+\/(events|documents)\.ts$)/;

const PLACE = /^(?:libs\/features|@assurance)\/([a-z]+)\/([a-z]+)\/(.*)$/;
const placeOf = (path: string) => {
  const [, feature = '', part = '', rest = ''] = PLACE.exec(path) ?? [];
  return FEATURES.includes(feature) ? { feature, part, file: `${feature}/${part}/${rest.replace(/\.ts$/, '')}` } : null;
};

/** Engines of one project. */
const ENGINE = /^(?:libs|@assurance)\/storage\/(kafka|mongodb|s3)(?:\/|$)/;
const engineOf = (path: string) => ENGINE.exec(path)?.[1];

/** The apps load libraries, never the other way round. */
const APPS =
  /^@assurance\/(gateway|ingestion|projection|notification-dispatcher|audit-package|standalone|operate|web)(\/|$)/;

/**
 * Why one file may not import another; null where it may.
 *
 * @param from relative to the root
 */
function refusal(from: string, specifier: string): string | null {
  const isOwn = specifier.startsWith('.') || specifier.startsWith('@assurance/');
  const target = specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier;
  const [here, there] = [placeOf(from), placeOf(target)];
  if (APPS.test(specifier)) return 'Libraries do not import apps.';
  if (FACT_FILES.test(from)) {
    const isFact = FACT_FILES.test(`${target}.ts`) || FACT_FILES.test(`${target}/`);
    return isFact || FACTS.test(specifier) ? null : 'Facts and shapes import facts, shapes and the kernel.';
  }
  const [engine, other] = [engineOf(from), engineOf(target)];
  if (engine !== undefined && other !== undefined && engine !== other) return 'Engines do not import each other.';
  if (here === null) return null;
  if (there === null) {
    if (here.part !== 'domain' || (isOwn && DOMAIN.test(specifier)) || PACKAGES[here.file] === specifier) return null;
    return 'Domain code imports the kernel, facts, shapes, and the domain of earlier features.';
  }
  if (here.feature === there.feature) {
    if (here.part === there.part || PARTS[here.part]?.includes(there.part)) return null;
    return `The part ${here.part} of a feature does not import its part ${there.part}.`;
  }
  if (FEATURES.indexOf(there.feature) > FEATURES.indexOf(here.feature)) {
    return `${there.feature} comes after ${here.feature}: declare a port that it provides.`;
  }
  if (there.part === 'domain') return null;
  if (here.part !== 'domain' && (there.part === 'lookups' || EXPORTS.includes(there.file))) return null;
  return `${there.file} is for its own feature: list it in tools/boundaries/features.ts if others need it.`;
}

interface Importing {
  readonly source?: { readonly value?: unknown } | null;
}

const rule: Rule.RuleModule = {
  meta: { type: 'problem', messages: { refused: '{{ why }}' }, schema: [] },
  create(context) {
    const from = relative(context.cwd, context.filename).replaceAll('\\', '/');
    const check = (node: Rule.Node & Importing) => {
      if (typeof node.source?.value !== 'string') return;
      const why = refusal(from, node.source.value);
      if (why !== null) context.report({ node, messageId: 'refused', data: { why } });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export const features = { rules: { order: rule } };
