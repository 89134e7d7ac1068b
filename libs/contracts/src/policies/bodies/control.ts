import { withCheck, closed, optional } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { RESERVED_CONTROLS, pattern, PATTERNS } from '../../http/patterns';
import { map, text } from '../../http/shape';

const LINKS_MAX = 20;
const LABEL_MAX = 100;
const URL_MAX = 500;

const label = text(undefined, { min: 1, max: LABEL_MAX, problem: `A label should have 1 to ${LABEL_MAX} characters` });
const address = text(undefined, { max: URL_MAX, pattern: pattern('^https?:\\/\\/', 'Input should be a web address') });
const links = (description: string) =>
  withCheck(
    map(address, description, { keys: label, example: { wiki: 'https://wiki.example.com/review' } }),
    (addresses) =>
      Object.keys(addresses).length > LINKS_MAX ? `Input should have at most ${LINKS_MAX} entries` : null,
    { maxProperties: LINKS_MAX },
  );

/** `POST /controls/{org}`. Clients look up this name in the components of the OpenAPI document. */
export const ControlPostInput = closed('ControlPostInput', {
  identifier: withCheck(
    text(
      'The identifier in policies and decisions, unique in the organization. It never changes. `tags`, `.` and `..` are reserved.',
      { pattern: PATTERNS.newControl, max: NAME_MAX, example: 'SDLC-7' },
    ),
    (identifier) =>
      RESERVED_CONTROLS.includes(identifier) ? `'${identifier}' is reserved: choose another identifier` : null,
    { not: { enum: RESERVED_CONTROLS } },
  ),
  name: text('The display name.', { min: 1, max: NAME_MAX, example: 'Code review' }),
  description: optional(text('Its requirements.', { max: DESCRIPTION_MAX, example: 'Two people saw every change' })),
  links: optional(links('Web addresses by label.')),
});

/** `PUT /controls/{org}/{control}`. */
export const ControlPutInput = closed('ControlPutInput', {
  name: optional(text('The display name.', { min: 1, max: NAME_MAX, example: 'Code review' })),
  description: optional(
    text('The description. An empty text removes it.', {
      max: DESCRIPTION_MAX,
      example: 'Two people saw every change',
    }),
  ),
  links: optional(links('Web addresses by label. They replace all existing ones.')),
});
