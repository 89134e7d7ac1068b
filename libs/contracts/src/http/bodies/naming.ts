import { input } from '@assurance/kernel';
import { PATTERNS } from '../patterns';
import { flag, integer, list, map, text, type TypeOf } from '../shape';
import { body, withCheck, closed, optional } from './body';
import { DESCRIPTION_MAX, NAME_MAX } from './limits';

const REPORT_EVERY_MIN = 60;
const REPORT_EVERY_MAX = 31 * 24 * 3_600;

/**
 * Seconds within which reports are expected. The minimum is a minute, because the service records reports every half minute. 0: the service learns
 * the interval.
 */
const reportEvery = withCheck(
  integer(
    'Within how many seconds a report is expected: without one for longer, the environment is late. 0: learned from the last reports.',
    { min: 0, max: REPORT_EVERY_MAX, example: 900 },
  ),
  (seconds) =>
    seconds > 0 && seconds < REPORT_EVERY_MIN
      ? `Input should be 0 or at least ${REPORT_EVERY_MIN} ${input(seconds)}`
      : null,
  { anyOf: [{ const: 0 }, { minimum: REPORT_EVERY_MIN }] },
);

/** The last fields of the body for a new environment and of the body for a change. */
export const ENVIRONMENT_SETTINGS = {
  report_every: optional(reportEvery),
  included_environments: optional(list(text(), 'For logical environments: the names of its members.', { max: 500 })),
  policies: optional(
    list(text(), 'Names of all policies to attach: others are detached. Absent or null keeps those that are.', {
      max: 1_000,
      example: ['proven'],
    }),
  ),
} as const;

/** `PATCH /environments/{org}/{env}`. */
export const EnvironmentPatchInput = closed('EnvironmentPatchInput', {
  description: optional(
    text('The description. An empty text removes it.', { max: DESCRIPTION_MAX, example: 'Where customers are' }),
  ),
  include_scaling: optional(flag('Whether a change of only the number of instances creates a snapshot.')),
  ...ENVIRONMENT_SETTINGS,
});

/** `PUT /environments/{org}/{env}/rename`. */
export const EnvironmentRenameInput = closed('EnvironmentRenameInput', {
  new_name: text('The new name.', { pattern: PATTERNS.environment, max: NAME_MAX, example: 'production-eu' }),
});

/** `PUT /environments/{org}/{env}/join`. */
export const EnvironmentJoinInput = closed('EnvironmentJoinInput', {
  physical_env_name: text('Name of the environment that becomes a member.', { example: 'production-eu' }),
});

/** `PUT /flows/{org}/{flow}/rename`. */
export const FlowRenameInput = body('FlowRenameInput', {
  new_name: text('The new name.', { pattern: PATTERNS.flow, max: NAME_MAX, example: 'shop-front' }),
});

const KEY_MAX = 128;
const VALUE_MAX = 1_024;

const tagKey = text(undefined, {
  pattern: PATTERNS.tagKey,
  max: KEY_MAX,
  problem: `A key should have at most ${KEY_MAX} characters`,
});

/** `PATCH /tags/{org}/{resource_type}/{id}`. */
export const TagsPatchInput = closed('TagsPatchInput', {
  set_tags: optional(
    map(text(undefined, { max: VALUE_MAX }), 'Tags to set: a value by its key.', {
      keys: tagKey,
      example: { team: 'shop' },
    }),
  ),
  remove_tags: optional(
    list(text(), 'Keys of tags to remove; unknown keys are ignored.', { max: 1_000, example: ['owner'] }),
  ),
});
export type TagsPatchInput = TypeOf<typeof TagsPatchInput>;
