import { input } from '@assurance/kernel';
import { limitedJson } from '../../environments/bodies/report-rules';
import { body, withCheck, closedRecord, optional, requiredWith } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX, REPO_ADDRESS_MAX } from '../../http/bodies/limits';
import { anyObject, cutText, fingerprint, reportedTime } from '../../http/bodies/words';
import { FREE_JSON_BYTES, FREE_JSON_VALUES } from '../../http/body-limits';
import { PATTERNS } from '../../http/patterns';
import { either, flag, list, map, text, type TypeOf } from '../../http/shape';

const MESSAGE_MAX = 65_536;

const ofCommit = {
  message: optional(cutText(MESSAGE_MAX)),
  author: optional(cutText(1_024, 'Name and address of the author.', { example: 'Ada <ada@example.com>' })),
  timestamp: optional(
    reportedTime('When it was committed, in epoch seconds. Lead time counts from it.', { example: 1_700_000_000 }),
  ),
  branch: optional(text(undefined, { max: 1_024 })),
  url: optional(text(undefined, { max: 8_192 })),
  author_username: optional(text(undefined, { max: 1_024 })),
  parents: optional(list(text(), undefined, { max: 100 })),
  verified: optional(flag('Whether the provider found its signature valid.', { example: true })),
  signature_state: optional(text('What the provider says of its signature.', { max: 1_024, example: 'valid' })),
} as const;

/** A commit as clients send it (specification 2.2). */
export const CommitInput = body('CommitInput', {
  sha1: text('The full SHA-1 or SHA-256 of the commit.', {
    pattern: PATTERNS.gitCommit,
    example: '0123456789abcdef0123456789abcdef01234567',
  }),
  ...ofCommit,
});
export type CommitInput = TypeOf<typeof CommitInput>;

/** A commit, or its substitute where there is no Git repository. */
export const OriginCommitInput = body('OriginCommitInput', {
  sha1: text('The SHA-1 or SHA-256 of the commit, or what another system calls it.', {
    min: 1,
    max: 1_024,
    example: '0123456789abcdef0123456789abcdef01234567',
  }),
  ...ofCommit,
});

/** The repository that a commit belongs to. */
export const RepoInput = body('RepoInput', {
  url: optional(text(undefined, { max: REPO_ADDRESS_MAX })),
  name: optional(text('Owner and name.', { max: 1_024, example: 'acme/shop' })),
  id: optional(text('The id at the provider.', { max: 1_024, example: '4711' })),
  description: optional(text(undefined, { max: DESCRIPTION_MAX })),
  provider: optional(text('Such as github, gitlab, bitbucket, azure-devops.', { max: 100, example: 'github' })),
  namespace_path: optional(list(text(), undefined, { max: 100 })),
  additional_info: optional(
    anyObject('Stored with the repository if it has at most 16,384 characters as JSON.', { example: { stars: 7 } }),
  ),
});

/** Data that is stored with a trail or an artifact, and returned. */
export const userData = optional(
  limitedJson('Any JSON; stored and returned.', {
    bytes: FREE_JSON_BYTES,
    values: FREE_JSON_VALUES,
    example: { run: 7 },
  }),
);

/** External links by their labels, with the digests of their targets. */
export const externalUrls = map(closedRecord({ href: text(), fingerprint: optional(fingerprint()) }));

export const annotations = map(text(), undefined, { keys: text(undefined, { pattern: PATTERNS.annotationKey }) });

const TEMPLATE_MAX = 1_000;

const textOrTexts = withCheck(
  either(
    text(),
    list(text(), undefined, { max: TEMPLATE_MAX }),
    'Legacy form: one name of a required attestation, or a list of them. It is kept and shown; the flow has the template.',
  ),
  (value: unknown) => {
    if (typeof value === 'string') return null;
    if (!Array.isArray(value)) return `Input should be a text or a list of texts ${input(value)}`;
    if (value.length > TEMPLATE_MAX) return `Input should have at most ${TEMPLATE_MAX} items`;
    const wrong = value.flatMap((item: unknown, i) =>
      typeof item === 'string' ? [] : [[i, `Input should be a text ${input(item)}`]],
    );
    return Object.fromEntries(wrong) as Record<string, string>;
  },
);

/** `POST /artifacts/{org}/{flow}`: the new form has a trail, the legacy form `commits_list`. */
export const ArtifactPostInput = body('ArtifactPostInput', {
  fingerprint: fingerprint('SHA-256 of the artifact.', { example: 'a'.repeat(64) }),
  filename: text('Name of the file or image.', { min: 1, max: 4_096, example: 'shop/web:1.4' }),
  git_commit: optional(
    text('The commit from which it was built: SHA-1 or SHA-256.', {
      pattern: PATTERNS.gitCommit,
      example: '0123456789abcdef0123456789abcdef01234567',
    }),
  ),
  git_commit_info: optional(CommitInput),
  repo_info: optional(RepoInput),
  build_url: optional(text(undefined, { max: 8_192 })),
  commit_url: optional(text(undefined, { max: 8_192 })),
  repo_url: optional(text('The address of the repository; used without `repo_info`.', { max: REPO_ADDRESS_MAX })),
  template_reference_name: requiredWith(
    'trail_name',
    text("The artifact's name in the flow's template. Required with `trail_name`.", {
      min: 1,
      max: 1_024,
      example: 'web',
    }),
  ),
  trail_name: optional(
    text('Its trail, which begins if it does not exist.', {
      pattern: PATTERNS.trail,
      max: NAME_MAX,
      example: '0123456789abcdef0123456789abcdef01234567',
    }),
  ),
  external_urls: optional(externalUrls),
  annotations: optional(annotations),
  description: optional(
    cutText(DESCRIPTION_MAX, 'The description. It is kept and shown.', { example: 'The web shop' }),
  ),
  template: optional(textOrTexts),
  is_compliant: optional(flag('What the reporter says. It is kept and shown; attestations decide.')),
  user_data: userData,
  commits_list: optional(
    list(
      CommitInput,
      'Legacy form: the commits since the previous artifact. The entry of `git_commit` describes the commit of this artifact.',
    ),
  ),
});
export type ArtifactPostInput = TypeOf<typeof ArtifactPostInput>;
