import { input } from '@assurance/kernel';
import { patternMessage, PATTERNS } from '../patterns';
import { body, closed } from './body';
import { DESCRIPTION_MAX, NAME_MAX } from './limits';
import { characters, Doc, Flag, MapOf, Optional, ReportEvery, Text, TextList } from './rules';

/** The last fields of the body for a new environment and of the body for a change. */
export const ENVIRONMENT_SETTINGS = {
  report_every: [
    Doc(
      'Within how many seconds a report is expected: without one for longer, the environment is late. 0: learned from the last reports.',
      900,
    ),
    Optional(ReportEvery()),
  ],
  included_environments: [Doc('For logical environments: the names of its members.'), Optional(TextList({ max: 500 }))],
  policies: [
    Doc('Names of all policies to attach: others are detached. Absent or null keeps those that are.', ['proven']),
    Optional(TextList({ max: 1_000 })),
  ],
} as const;

/** `PATCH /environments/{org}/{env}`. */
export const EnvironmentPatchInput = closed('EnvironmentPatchInput', {
  description: [
    Doc('The description. An empty text removes it.', 'Where customers are'),
    Optional(Text({ max: DESCRIPTION_MAX })),
  ],
  include_scaling: [Doc('Whether a change of only the number of instances creates a snapshot.'), Optional(Flag())],
  ...ENVIRONMENT_SETTINGS,
});

/** `PUT /environments/{org}/{env}/rename`. */
export const EnvironmentRenameInput = closed('EnvironmentRenameInput', {
  new_name: [Doc('The new name.', 'production-eu'), Text({ pattern: PATTERNS.environment, max: NAME_MAX })],
});

/** `PUT /environments/{org}/{env}/join`. */
export const EnvironmentJoinInput = closed('EnvironmentJoinInput', {
  physical_env_name: [Doc('Name of the environment that becomes a member.', 'production-eu'), Text()],
});

/** `PUT /flows/{org}/{flow}/rename`. */
export const FlowRenameInput = body('FlowRenameInput', {
  new_name: [Doc('The new name.', 'shop-front'), Text({ pattern: PATTERNS.flow, max: NAME_MAX })],
});

const KEY_MAX = 128;
const VALUE_MAX = 1_024;

function tagProblem(key: string, value: unknown): string | null {
  if (!PATTERNS.tagKey.matches(key)) return patternMessage(PATTERNS.tagKey, key);
  if (key.length > KEY_MAX) return `A key should have at most ${KEY_MAX} characters ${input(key)}`;
  if (typeof value !== 'string') return `Input should be a text ${input(value)}`;
  return characters(value) > VALUE_MAX ? `Input should have at most ${VALUE_MAX} characters ${input(value)}` : null;
}

/** `PATCH /tags/{org}/{resource_type}/{id}`. */
export const TagsPatchInput = closed('TagsPatchInput', {
  set_tags: [
    Doc('Tags to set: a value by its key.', { team: 'shop' }),
    Optional(
      MapOf(tagProblem, {
        additionalProperties: { type: 'string', maxLength: VALUE_MAX },
        propertyNames: { pattern: PATTERNS.tagKey.text, maxLength: KEY_MAX },
      }),
    ),
  ],
  remove_tags: [
    Doc('Keys of tags to remove; unknown keys are ignored.', ['owner']),
    Optional(TextList({ max: 1_000 })),
  ],
});
export type TagsPatchInput = InstanceType<typeof TagsPatchInput>;
