import { input } from '@assurance/kernel';
import { Preprocess } from '../../environments/bodies/instance';
import { AnyJson } from '../../environments/bodies/report-rules';
import { body, type Rule } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { isPlain } from '../../http/bodies/plain';
import {
  all,
  AnyObject,
  CutText,
  Doc,
  eachOf,
  Fingerprint,
  Flag,
  MapOf,
  Nested,
  NestedList,
  OnlyIf,
  Optional,
  Parts,
  ReportedTime,
  Text,
  TextList,
} from '../../http/bodies/rules';
import { FREE_JSON_BYTES, FREE_JSON_VALUES } from '../../http/body-limits';
import type { FieldErrors } from '../../http/params';
import { INPUT_FINGERPRINT, patternMessage, PATTERNS, plainFingerprint } from '../../http/patterns';

const MESSAGE_MAX = 65_536;

const ofCommit = {
  message: Optional(CutText(MESSAGE_MAX)),
  author: [Doc('Name and address of the author.', 'Ada <ada@example.com>'), Optional(CutText(1_024))],
  timestamp: [
    Doc('When it was committed, in epoch seconds. Lead time counts from it.', 1_700_000_000),
    Optional(ReportedTime()),
  ],
  branch: Optional(Text({ max: 1_024 })),
  url: Optional(Text({ max: 8_192 })),
  author_username: Optional(Text({ max: 1_024 })),
  parents: Optional(TextList({ max: 100 })),
  verified: [Doc('Whether the provider found its signature valid.', true), Optional(Flag())],
  signature_state: [Doc('What the provider says of its signature.', 'valid'), Optional(Text({ max: 1_024 }))],
} as const;

/** A commit as clients send it (specification 2.2). */
export const CommitInput = body('CommitInput', {
  sha1: [
    Doc('The full SHA-1 or SHA-256 of the commit.', '0123456789abcdef0123456789abcdef01234567'),
    Text({ pattern: PATTERNS.gitCommit }),
  ],
  ...ofCommit,
});
export type CommitInput = InstanceType<typeof CommitInput>;

/** A commit, or its substitute where there is no Git repository. */
export const OriginCommitInput = body('OriginCommitInput', {
  sha1: [
    Doc(
      'The SHA-1 or SHA-256 of the commit, or what another system calls it.',
      '0123456789abcdef0123456789abcdef01234567',
    ),
    Text({ min: 1, max: 1_024 }),
  ],
  ...ofCommit,
});

/** The repository that a commit belongs to. */
export const RepoInput = body('RepoInput', {
  url: Optional(Text({ max: 8_192 })),
  name: [Doc('Owner and name.', 'acme/shop'), Optional(Text({ max: 1_024 }))],
  id: [Doc('The id at the provider.', '4711'), Optional(Text({ max: 1_024 }))],
  description: Optional(Text({ max: DESCRIPTION_MAX })),
  provider: [Doc('Such as github, gitlab, bitbucket, azure-devops.', 'github'), Optional(Text({ max: 100 }))],
  namespace_path: Optional(TextList({ max: 100 })),
  additional_info: [
    Doc('Stored with the repository if it has at most 16,384 characters as JSON.', { stars: 7 }),
    Optional(AnyObject()),
  ],
});

/** An external link, with the digest of its target. */
export interface ExternalUrlInput {
  readonly href: string;
  readonly fingerprint?: string;
}

/** Checks one external link. */
function externalUrl(label: string, value: unknown) {
  if (!isPlain(value)) return `Input should be an object ${input(value)}`;
  const { href, fingerprint, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) return { [`${label}.${other}`]: `Unknown property ${input(others[other])}` };
  if (typeof href !== 'string')
    return { [`${label}.href`]: href === undefined ? 'Field required' : `Input should be a text ${input(href)}` };
  if (fingerprint === undefined || fingerprint === null) return null;
  return typeof fingerprint === 'string' && PATTERNS.fingerprint.matches(fingerprint)
    ? null
    : { [`${label}.fingerprint`]: patternMessage(PATTERNS.fingerprint, fingerprint) };
}

const URLS = {
  additionalProperties: {
    type: 'object',
    properties: {
      href: { type: 'string' },
      fingerprint: { type: ['string', 'null'], pattern: INPUT_FINGERPRINT },
    },
    required: ['href'],
    additionalProperties: false,
  },
};

/** External links by their labels. */
export const ExternalUrls = (): Rule<Readonly<Record<string, ExternalUrlInput>>> =>
  all(Preprocess(plainUrls), MapOf<ExternalUrlInput>(externalUrl, URLS));

/** Converts fingerprints to the stored form. Returns the same object if nothing changes. */
function plainUrls(urls: unknown): unknown {
  if (!isPlain(urls)) return urls;
  const plain = Object.entries(urls).map(([label, url]): [string, unknown] => {
    if (!isPlain(url) || typeof url['fingerprint'] !== 'string') return [label, url];
    const fingerprint = plainFingerprint(url['fingerprint']);
    return [label, fingerprint === url['fingerprint'] ? url : { ...url, fingerprint }];
  });
  return plain.some(([label, url]) => url !== urls[label]) ? Object.fromEntries(plain) : urls;
}

/** Checks one annotation. */
export function annotation(key: string, value: unknown) {
  if (!PATTERNS.annotationKey.matches(key)) return patternMessage(PATTERNS.annotationKey, key);
  return typeof value === 'string' ? null : `Input should be a text ${input(value)}`;
}

export const ANNOTATIONS = {
  additionalProperties: { type: 'string' },
  propertyNames: { pattern: PATTERNS.annotationKey.text },
};

/** The fields of the new form. */
interface TrailFields {
  readonly trail_name?: string | null;
  readonly template_reference_name?: string | null;
}

/** Whether an artifact is reported in the new form. */
function isInTrail({ trail_name: trail, template_reference_name: name }: TrailFields): boolean {
  return (trail ?? name ?? null) !== null;
}

const TEMPLATE_MAX = 1_000;

/** A text, or a list of texts. */
const TextOrTexts = (): Rule<string | readonly string[]> =>
  Parts(
    (value): FieldErrors => {
      if (typeof value === 'string') return {};
      if (!Array.isArray(value)) return { '': `Input should be a text or a list of texts ${input(value)}` };
      if (value.length > TEMPLATE_MAX) return { '': `Input should have at most ${TEMPLATE_MAX} items` };
      return eachOf(value, (item) => (typeof item === 'string' ? null : `Input should be a text ${input(item)}`));
    },
    {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: TEMPLATE_MAX }],
    },
  );

/** `POST /artifacts/{org}/{flow}`: the new form has a trail, the legacy form `commits_list`. */
export const ArtifactPostInput = body(
  'ArtifactPostInput',
  {
    fingerprint: [Doc('SHA-256 of the artifact.', 'a'.repeat(64)), Fingerprint()],
    filename: [Doc('Name of the file or image.', 'shop/web:1.4'), Text({ min: 1, max: 4_096 })],
    git_commit: [
      Doc('The commit from which it was built: SHA-1 or SHA-256.', '0123456789abcdef0123456789abcdef01234567'),
      Optional(Text({ pattern: PATTERNS.gitCommit })),
    ],
    git_commit_info: Optional(Nested(() => CommitInput)),
    repo_info: Optional(Nested(() => RepoInput)),
    build_url: Optional(Text({ max: 8_192 })),
    commit_url: Optional(Text({ max: 8_192 })),
    repo_url: [Doc('The address of the repository; used without `repo_info`.'), Optional(Text({ max: 8_192 }))],
    template_reference_name: [
      Doc("The artifact's name in the flow's template. Required with `trail_name`.", 'web'),
      OnlyIf(isInTrail, Text({ min: 1, max: 1_024 })),
    ],
    trail_name: [
      Doc('Its trail, which begins if it does not exist.', '0123456789abcdef0123456789abcdef01234567'),
      Optional(Text({ pattern: PATTERNS.trail, max: NAME_MAX })),
    ],
    external_urls: Optional(ExternalUrls()),
    annotations: Optional(MapOf(annotation, ANNOTATIONS)),
    description: [Doc('The description. It is kept and shown.', 'The web shop'), Optional(CutText(DESCRIPTION_MAX))],
    template: [
      Doc(
        'Legacy form: one name of a required attestation, or a list of them. It is kept and shown; the flow has the template.',
      ),
      Optional(TextOrTexts()),
    ],
    is_compliant: [Doc('What the reporter says. It is kept and shown; attestations decide.'), Optional(Flag())],
    user_data: [
      Doc('Any JSON; stored and returned.', { run: 7 }),
      Optional(AnyJson(FREE_JSON_BYTES, FREE_JSON_VALUES)),
    ],
    commits_list: [
      Doc(
        'Legacy form: the commits since the previous artifact. The entry of `git_commit` describes the commit of this artifact.',
      ),
      Optional(NestedList(() => CommitInput)),
    ],
  },
  {
    if: { properties: { trail_name: { type: 'string' } }, required: ['trail_name'] },
    then: { properties: { template_reference_name: { type: 'string' } }, required: ['template_reference_name'] },
  },
);
export type ArtifactPostInput = InstanceType<typeof ArtifactPostInput>;
