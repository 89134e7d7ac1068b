import { input } from '@assurance/kernel';
import { closed } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { characters, Doc, MapOf, Optional, Parts, Text } from '../../http/bodies/rules';
import type { FieldErrors } from '../../http/params';
import { PATTERNS } from '../../http/patterns';

const LINKS_MAX = 20;
const LABEL_MAX = 100;
const URL_MAX = 500;
const WEB = /^https?:\/\//;
const LINKS_EXAMPLE = { wiki: 'https://wiki.example.com/review' };

const Links = () =>
  Optional(
    MapOf(linkProblem, {
      additionalProperties: { type: 'string', maxLength: URL_MAX, pattern: WEB.source },
      propertyNames: { minLength: 1, maxLength: LABEL_MAX },
    }),
    Parts(tooMany, { maxProperties: LINKS_MAX }),
  );

/** `POST /controls/{org}`. Clients look up this name in the components of the OpenAPI document. */
export const ControlPostInput = closed('ControlPostInput', {
  identifier: [
    Doc(
      'The identifier in policies and decisions, unique in the organization. It never changes. `tags` is the name of a route.',
      'SDLC-7',
    ),
    Text({ pattern: PATTERNS.newControl, max: NAME_MAX }),
  ],
  name: [Doc('The display name.', 'Code review'), Text({ min: 1, max: NAME_MAX })],
  description: [Doc('Its requirements.', 'Two people saw every change'), Optional(Text({ max: DESCRIPTION_MAX }))],
  links: [Doc('Web addresses by label.', LINKS_EXAMPLE), Links()],
});

/** `PUT /controls/{org}/{control}`. */
export const ControlPutInput = closed('ControlPutInput', {
  name: [Doc('The display name.', 'Code review'), Optional(Text({ min: 1, max: NAME_MAX }))],
  description: [
    Doc('The description. An empty text removes it.', 'Two people saw every change'),
    Optional(Text({ max: DESCRIPTION_MAX })),
  ],
  links: [Doc('Web addresses by label. They replace all existing ones.', LINKS_EXAMPLE), Links()],
});

function tooMany(links: unknown): FieldErrors {
  const count = typeof links === 'object' && links !== null ? Object.keys(links).length : 0;
  return count > LINKS_MAX ? { '': `Input should have at most ${LINKS_MAX} entries` } : {};
}

function linkProblem(label: string, url: unknown): string | null {
  if (label === '' || characters(label) > LABEL_MAX) {
    return `A label should have 1 to ${LABEL_MAX} characters ${input(label)}`;
  }
  if (typeof url !== 'string' || !WEB.test(url)) return `Input should be a web address ${input(url)}`;
  return characters(url) > URL_MAX ? `Input should have at most ${URL_MAX} characters ${input(url)}` : null;
}
