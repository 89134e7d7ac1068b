import { input } from '@assurance/kernel';
import { PATTERNS, patternMessage } from '../patterns';
import { DESCRIPTION_MAX, NAME_MAX } from './limits';
import { characters, Doc, Flag, MapOf, Optional, Text, TextList } from './rules';

/** `PATCH /environments/{org}/{env}`. */
export class EnvironmentPatchInput {
  @Doc('The description. An empty text removes it.', 'Where customers are')
  @Optional(Text({ max: DESCRIPTION_MAX }))
  description?: string;

  @Doc('Whether a change of only the number of instances creates a snapshot.')
  @Optional(Flag())
  include_scaling?: boolean;

  @Doc('For logical environments: the names of its members.')
  @Optional(TextList({ max: 500 }))
  included_environments?: readonly string[];
}

/** `PUT /environments/{org}/{env}/rename`. */
export class EnvironmentRenameInput {
  @Doc('The new name.', 'production-eu')
  @Text({ pattern: PATTERNS.environment, max: NAME_MAX })
  new_name!: string;
}

/** `PUT /environments/{org}/{env}/join`. */
export class EnvironmentJoinInput {
  @Doc('Name of the environment that becomes a member.', 'production-eu')
  @Text()
  physical_env_name!: string;
}

/** `PUT /flows/{org}/{flow}/rename`. */
export class FlowRenameInput {
  @Doc('The new name.', 'shop-front')
  @Text({ pattern: PATTERNS.flow, max: NAME_MAX })
  new_name!: string;
}

const KEY_MAX = 128;
const VALUE_MAX = 1_024;

function tagProblem(key: string, value: unknown): string | null {
  if (!PATTERNS.tagKey.matches(key)) return patternMessage(PATTERNS.tagKey, key);
  if (key.length > KEY_MAX) return `A key should have at most ${KEY_MAX} characters ${input(key)}`;
  if (typeof value !== 'string') return `Input should be a text ${input(value)}`;
  return characters(value) > VALUE_MAX ? `Input should have at most ${VALUE_MAX} characters ${input(value)}` : null;
}

/** `PATCH /tags/{org}/{resource_type}/{id}`. */
export class TagsPatchInput {
  @Doc('Tags to set: a value by its key.', { team: 'shop' })
  @Optional(
    MapOf(
      (key, tag) => {
        const problem = tagProblem(key, tag);
        return problem === null ? null : { [key]: problem };
      },
      {
        additionalProperties: { type: 'string', maxLength: VALUE_MAX },
        propertyNames: { pattern: PATTERNS.tagKey.text, maxLength: KEY_MAX },
      },
    ),
  )
  set_tags?: Readonly<Record<string, string>>;

  @Doc('Keys of tags to remove; unknown keys are ignored.', ['owner'])
  @Optional(TextList({ max: 1_000 }))
  remove_tags?: readonly string[];
}
