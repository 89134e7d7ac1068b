import { input } from '@assurance/kernel';
import { PATTERNS, patternMessage } from '../patterns';
import { Whole } from './described';
import { DESCRIPTION_MAX, NAME_MAX } from './limits';
import { isPlain } from './plain';
import { Doc, FreeObject, MapOf, Nested, NestedList, OnlyIf, Optional, Text, TextList, Time } from './rules';

const MESSAGE_MAX = 65_536;

/** A commit as clients send it (specification 2.2). */
export class CommitInput {
  @Doc('The full SHA-1 of the commit.', '0123456789abcdef0123456789abcdef01234567')
  @Text({ pattern: PATTERNS.gitCommit })
  sha1!: string;

  @Optional(Text({ max: MESSAGE_MAX }))
  message?: string;

  @Doc('Name and address of the author.', 'Ada <ada@example.com>')
  @Optional(Text({ max: 1_024 }))
  author?: string;

  @Doc('When it was committed, in epoch seconds. Lead time counts from it.', 1_700_000_000)
  @Optional(Time())
  timestamp?: number;

  @Optional(Text({ max: 1_024 }))
  branch?: string;

  @Optional(Text({ max: 8_192 }))
  url?: string;

  @Optional(Text({ max: 1_024 }))
  author_username?: string;

  @Optional(TextList({ max: 100 }))
  parents?: readonly string[];
}

/** The repository that a commit belongs to. */
export class RepoInput {
  @Optional(Text({ max: 8_192 }))
  url?: string;

  @Doc('Owner and name.', 'acme/shop')
  @Optional(Text({ max: 1_024 }))
  name?: string;

  @Doc('The id at the provider.', '4711')
  @Optional(Text({ max: 1_024 }))
  id?: string;

  @Optional(Text({ max: DESCRIPTION_MAX }))
  description?: string;

  @Doc('Such as github, gitlab, bitbucket, azure-devops.', 'github')
  @Optional(Text({ max: 100 }))
  provider?: string;

  @Optional(TextList({ max: 100 }))
  namespace_path?: readonly string[];

  @Doc('Stored with the repository if it has at most 16,384 characters as JSON.', { stars: 7 })
  @Optional(FreeObject())
  additional_info?: Readonly<Record<string, unknown>>;
}

/** A link out, with the digest of what it leads to. */
export interface ExternalUrlInput {
  readonly href: string;
  readonly fingerprint?: string;
}

/** Checks one link out. */
export function externalUrl(label: string, value: unknown) {
  if (!isPlain(value)) return { [label]: `Input should be an object ${input(value)}` };
  const { href, fingerprint } = value;
  if (typeof href !== 'string')
    return { [`${label}.href`]: href === undefined ? 'Field required' : `Input should be a text ${input(href)}` };
  if (fingerprint === undefined || fingerprint === null) return null;
  return typeof fingerprint === 'string' && PATTERNS.fingerprint.matches(fingerprint)
    ? null
    : { [`${label}.fingerprint`]: patternMessage(PATTERNS.fingerprint, fingerprint) };
}

export const URLS = {
  additionalProperties: {
    type: 'object',
    properties: {
      href: { type: 'string' },
      fingerprint: { type: ['string', 'null'], pattern: PATTERNS.fingerprint.text },
    },
    required: ['href'],
  },
};

const given = (value: unknown) => value !== undefined && value !== null;

/** Checks one annotation. */
export function annotation(key: string, value: unknown) {
  if (!PATTERNS.annotationKey.matches(key)) return { [key]: patternMessage(PATTERNS.annotationKey, key) };
  return typeof value === 'string' ? null : { [key]: `Input should be a text ${input(value)}` };
}

export const ANNOTATIONS = {
  additionalProperties: { type: 'string' },
  propertyNames: { pattern: PATTERNS.annotationKey.text },
};

/** `POST /artifacts/{org}/{flow}`: the new form has a trail, the legacy form `commits_list`. */
@Whole({
  if: { properties: { trail_name: { type: 'string' } }, required: ['trail_name'] },
  then: { properties: { template_reference_name: { type: 'string' } }, required: ['template_reference_name'] },
})
export class ArtifactPostInput {
  @Doc('SHA-256 of the artifact.', 'a'.repeat(64))
  @Text({ pattern: PATTERNS.fingerprint })
  fingerprint!: string;

  @Doc('Name of the file or image.', 'shop/web:1.4')
  @Text({ min: 1, max: 4_096 })
  filename!: string;

  @Doc('The commit from which it was built.', '0123456789abcdef0123456789abcdef01234567')
  @Text({ pattern: PATTERNS.gitCommit })
  git_commit!: string;

  @Optional(Nested(() => CommitInput))
  git_commit_info?: CommitInput;

  @Optional(Nested(() => RepoInput))
  repo_info?: RepoInput;

  @Optional(Text({ max: 8_192 }))
  build_url?: string;

  @Optional(Text({ max: 8_192 }))
  commit_url?: string;

  @Doc('The address of the repository; used without `repo_info`.')
  @Optional(Text({ max: 8_192 }))
  repo_url?: string;

  @Doc("The artifact's name in the flow's template. Required with `trail_name`.", 'web')
  @OnlyIf((body: ArtifactPostInput) => given(body.trail_name) || given(body.template_reference_name))
  @Text({ min: 1, max: 1_024 })
  template_reference_name?: string;

  @Doc('Its trail, which begins if it does not exist.', '0123456789abcdef0123456789abcdef01234567')
  @Optional(Text({ pattern: PATTERNS.trail, max: NAME_MAX }))
  trail_name?: string;

  @Optional(MapOf(externalUrl, URLS))
  external_urls?: Readonly<Record<string, ExternalUrlInput>>;

  @Optional(MapOf(annotation, ANNOTATIONS))
  annotations?: Readonly<Record<string, string>>;

  @Doc(
    'Legacy form: the commits since the previous artifact. The entry of `git_commit` describes the commit of this artifact.',
  )
  @Optional(NestedList(() => CommitInput))
  commits_list?: readonly CommitInput[];
}
